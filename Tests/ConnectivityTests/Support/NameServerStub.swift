import EventLoop
import Glibc
import NetworkAddress
import Synchronization
import TestSupport
import Testing

/// A name server that answers every question with one response code, or not at all.
final class NameServerStub: Sendable {
    private let loop: EventLoop
    private let descriptor: CInt
    private let watch = Mutex<Watch?>(nil)

    /// - Parameter code: The response code; nil for silence.
    init(in namespace: TestNamespace, at address: String, code: UInt8?) async throws {
        let loop = try EventLoop(networkNamespace: namespace.descriptor)
        self.loop = loop
        let place = try #require(IPAddress(address))
        // On the loop's thread: a socket belongs to the namespace of the thread that makes it.
        descriptor = await withCheckedContinuation { continuation in
            loop.schedule(after: .zero) {
                let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
                let result = place.withSocketAddress(port: 53) { bind(descriptor, $0, $1) }
                continuation.resume(returning: result == 0 ? descriptor : -1)
            }
        }
        try #require(descriptor >= 0)
        guard let code else { return }
        let new = try loop.watch(descriptor, for: .readable) { [descriptor] _ in Self.answer(descriptor, code) }
        watch.withLock { $0 = new }
    }

    deinit {
        watch.withLock { watch in watch.map { loop.end($0) } }
        close(descriptor)
    }

    private static func answer(_ descriptor: CInt, _ code: UInt8) {
        var bytes = [UInt8](repeating: 0, count: 1024)
        var sender = sockaddr_in()
        withUnsafeMutablePointer(to: &sender) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
                var count = socklen_t(MemoryLayout<sockaddr_in>.size)
                let size = recvfrom(descriptor, &bytes, bytes.count, 0, address, &count)
                guard size > 12 else { return }
                bytes[2] |= 0x80
                bytes[3] = 0x80 | code
                // The additional record of EDNS goes.
                (bytes[10], bytes[11]) = (0, 0)
                let end = 12 + (bytes[12..<size].firstIndex(of: 0) ?? size - 5) - 12 + 5
                sendto(descriptor, bytes, end, 0, address, count)
            }
        }
    }
}
