import EventLoop
import Glibc
import NetworkAddress

/// Resolves names as the system does (`getaddrinfo(3)`), which blocks: on a thread of its own.
struct NameResolver: Sendable {
    private actor Thread {
        private let loop: EventLoop

        init(_ loop: EventLoop) {
            self.loop = loop
        }

        nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

        func resolve(_ name: String) -> [IPAddress] { NameResolver.resolve(name) }
    }

    private let thread: Thread?

    init() {
        do throws(EventLoopError) { thread = Thread(try EventLoop(name: "resolver")) } catch { thread = nil }
    }

    /// The addresses of a name, sorted; none where it has none or no name server could be asked.
    func addresses(of name: String) async -> [IPAddress] {
        await thread?.resolve(name) ?? []
    }

    private static func resolve(_ name: String) -> [IPAddress] {
        var hints = addrinfo()
        hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(name, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        let entries = sequence(first: list) { $0?.pointee.ai_next }.prefix { $0 != nil }
        let addresses = entries.compactMap { entry in
            entry?.pointee.ai_addr.flatMap { IPAddress(socketAddress: UnsafeRawPointer($0)) }
        }
        return Set(addresses).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
