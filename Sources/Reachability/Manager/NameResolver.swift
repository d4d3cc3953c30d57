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

        nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

        func resolve(_ name: String) -> [IPAddress]? { NameResolver.resolve(name) }
    }

    private let thread: Thread

    /// Nil where there is no thread to be had.
    init?() {
        do throws(EventLoopError) { thread = Thread(try EventLoop(name: "resolver")) } catch { return nil }
    }

    /// The addresses of a name, sorted: none where it has none, nil where no name server could be asked.
    func addresses(of name: String) async -> [IPAddress]? {
        await thread.resolve(name)
    }

    /// Whether a failure of `getaddrinfo(3)` says that the name has no address: EAI_NONAME or EAI_NODATA. All others say
    /// nothing of the name.
    static func isAbsence(_ failure: CInt) -> Bool {
        failure == EAI_NONAME || failure == noData
    }

    /// EAI_NODATA, which `netdb.h` has for GNU programs only.
    private static let noData: CInt = -5

    private static func resolve(_ name: String) -> [IPAddress]? {
        var hints = unsafe addrinfo()
        unsafe hints.ai_socktype = CInt(SOCK_DGRAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        let failure = unsafe getaddrinfo(name, nil, &hints, &list)
        guard failure == 0 else { return isAbsence(failure) ? [] : nil }
        defer { unsafe freeaddrinfo(list) }
        let entries = unsafe sequence(first: list) { unsafe $0?.pointee.ai_next }.prefix { unsafe $0 != nil }
        let addresses = unsafe entries.compactMap { entry in
            unsafe entry?.pointee.ai_addr.flatMap { address in
                let bytes = unsafe UnsafeRawBufferPointer(start: address, count: Int(entry?.pointee.ai_addrlen ?? 0))
                return unsafe IPAddress(socketAddress: bytes.assumingMemoryBound(to: UInt8.self).span)
            }
        }
        return Set(addresses).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
    }
}
