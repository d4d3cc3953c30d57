import CCurl
import Glibc
import NetworkAddress
import SystemPackage

/// The socket of a connection: made, bound and checked here, so that libcurl never falls back to another way out.
extension Transfer {
    func openSocket(_ request: UnsafePointer<curl_sockaddr>) -> CInt {
        guard repetition.allows(self.request.method, isSent: isSent) else {
            refusal = .connectionLost(received: 0, nil)
            return CURL_SOCKET_BAD
        }
        let wanted = unsafe request.pointee
        clock.socketOpened()
        handshakes = 0
        unsafe note(request)
        let descriptor = socket(wanted.family, wanted.socktype | Self.flags, wanted.protocol)
        guard descriptor >= 0 else {
            socketRefusal = .connect(host: destination.host, port: destination.port, Errno(rawValue: errno))
            return CURL_SOCKET_BAD
        }
        do throws(SocketBinding.Refusal) {
            if let interface = settings.options.interface { try SocketBinding.bind(descriptor, to: interface) }
            if let address = settings.options.sourceAddress { try SocketBinding.bind(descriptor, to: address) }
            if let size = self.request.maximumSegmentSize { SocketBinding.limitSegments(descriptor, to: size) }
            return descriptor
        } catch {
            socketRefusal = error.reason
            close(descriptor)
            return CURL_SOCKET_BAD
        }
    }

    private static let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Keeps the address that is tried now, for a request that gets no further. libcurl's field is only the head of it, and as
    /// long as libcurl says.
    private func note(_ request: UnsafePointer<curl_sockaddr>) {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(request) + offset, count: Int(request.pointee.addrlen))
        let socketAddress = unsafe bytes.assumingMemoryBound(to: UInt8.self).span
        metrics.remoteAddress = IPAddress(socketAddress: socketAddress)
        metrics.remotePort = destination.port
        // Of either family's address the port is the second field.
        attempted = metrics.remoteAddress.map { ($0, UInt16(bigEndian: socketAddress.load(UInt16.self, at: 2))) }
    }
}
