import EventLoop
import Foundation
import NetworkAddress
import RequestEngine
import Resolver
import Synchronization
import TestSupport
import Testing

@testable import Connectivity
@testable import Netwatch
@testable import Probing

/// Whatever waits for a peer that says nothing is cancelled at a moment of its first 200 microseconds.
@Suite("Cancellation at any moment", .timeLimit(.minutes(10)))
struct CancellationTests {
    private let loop: EventLoop
    private let silent: SocketServer
    private static let count = 1_000

    init() throws {
        loop = try EventLoop()
        silent = try SocketServer { connection in _ = connection.readRequest() + connection.readRequest() }
    }

    private final class Ends: Sendable {
        private let count = Atomic<Int>(0)
        func add() { count.add(1, ordering: .relaxed) }
        var value: Int { count.load(ordering: .relaxed) }
    }

    /// Does something that never ends by itself, again and again, and cancels it.
    private func expectEnd(of work: @escaping @Sendable () async -> Void) async throws {
        let ended = Ends()
        var generator = SeededGenerator(seed: 1)
        for number in 1...Self.count {
            let task = Task.detached {
                await work()
                ended.add()
            }
            let pause = Duration.nanoseconds(Int.random(in: 0..<200_000, using: &generator))
            let end = MonotonicTime.now.advanced(by: pause)
            while MonotonicTime.now < end {}
            task.cancel()
            guard number.isMultiple(of: 50) else { continue }
            try await expectSoon("the end of \(number) that were cancelled") {
                ended.value == number
            }
        }
    }

    @Test("a request")
    func request() async throws {
        let session = try Session(loop: loop)
        let request = Request(url: try #require(URL(string: "http://127.0.0.1:\(silent.port)/")))
        try await expectEnd { _ = try? await session.response(for: request) }
    }

    @Test("a look-up")
    func lookUp() async throws {
        let port = try SilentPort()
        let server = NameServer(try #require(IPAddress("127.0.0.1")), port: port.number)
        let resolver = Resolver(configuration: ResolverConfiguration(servers: [server]), loop: loop)
        try await expectEnd { _ = try? await resolver.addresses(of: "example.test") }
        withExtendedLifetime(port) {}
    }

    @Test("a probe", arguments: ["http", "tls", "dns"])
    func probe(scheme: String) async throws {
        let port = try SilentPort()
        let url =
            scheme == "dns"
            ? "dns://127.0.0.1:\(port.number)/example.test" : "\(scheme)://127.0.0.1:\(silent.port)"
        let prober = Prober(loop: loop, configuration: ConnectivityConfiguration())
        let target = try Target(url)
        try await expectEnd { _ = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(60))) }
        withExtendedLifetime(port) {}
    }

    @Test("a probe of each address")
    func eachAddress() async throws {
        let prober = Prober(loop: loop, configuration: ConnectivityConfiguration())
        var target = try Target("http://localhost:\(silent.port)/")
        target.eachAddress = true
        try await expectEnd { [target] in
            _ = await prober.result(of: Probe(id: 1, target: target, timeout: .seconds(60)))
        }
    }

    @Test("a wait for a state, and a reader of events")
    func events() async throws {
        var configuration = ConnectivityConfiguration()
        configuration.targets = []
        let monitor = ConnectivityMonitor(configuration: configuration)
        try await monitor.start()
        try await expectEnd { _ = await monitor.wait(for: .target("none-such")) }
        try await expectEnd {
            for await _ in monitor.events {}
        }
        try await expectEnd { _ = await monitor.wait(for: .target("none-such"), timeout: .seconds(60)) }
        await monitor.stop()
    }
}

/// A port at which nothing is read.
private final class SilentPort: Sendable {
    let number: UInt16
    private let descriptor: CInt

    init() throws {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue), 0)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        self.descriptor = descriptor
        number = UInt16(bigEndian: address.sin_port)
        try #require(isBound, "errno \(errno)")
    }

    deinit { close(descriptor) }
}
