import CCurl
import Glibc
import NetworkAddress
import SystemPackage

/// The socket of a connection: made, bound and checked here, so that libcurl never falls back to another way out.
extension Transfer {
    func openSocket(_ request: UnsafePointer<curl_sockaddr>) -> CInt {
        guard !wouldRepeatSilently else {
            refusal = .connectionLost(received: 0, nil)
            return CURL_SOCKET_BAD
        }
        let wanted = request.pointee
        clock.socketOpened()
        handshakes = 0
        note(request)
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

    /// libcurl sends a request again, unasked, if the connection it went out over had been used before and ends without an
    /// answer. The server may have carried it out all the same, so this is for methods only that may be repeated
    /// (RFC 9110 section 9.2.2).
    private var wouldRepeatSilently: Bool {
        clock.phase == .processing && !self.request.method.isIdempotent
    }

    private static let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Keeps the address that is tried now, for a request that gets no further. libcurl's field is only the head of it.
    private func note(_ request: UnsafePointer<curl_sockaddr>) {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return }
        let socketAddress = UnsafeRawPointer(request) + offset
        metrics.remoteAddress = IPAddress(socketAddress: socketAddress)
        metrics.remotePort = destination.port
        // Of either family's address the port is the second field.
        let port = UInt16(bigEndian: socketAddress.loadUnaligned(fromByteOffset: 2, as: UInt16.self))
        attempted = metrics.remoteAddress.map { ($0, port) }
    }
}
