import EventLoop
import Foundation
import Netlink
import NetworkAddress
import Reachability
import Synchronization
import TestSupport
import Testing

/// Figures for people. They are taken when NETWATCH_MEASURE is set, and printed.
@Suite(
    "Measurements", .serialized,
    .enabled(if: ProcessInfo.processInfo.environment["NETWATCH_MEASURE"] != nil, "set NETWATCH_MEASURE=1 to measure"),
    .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct Measurements {
    @Test("from the request that moves the default route to the callback")
    func latency() async throws {
        let host = try await Host.online(uplinks: 2)
        let indexes = try ["w0", "w1"].map { try #require(host.path.interface($0)?.index) }
        await host.eventually("silence") { await host.monitor.isIdle }
        let arrived = Mutex<MonotonicTime?>(nil)
        await host.monitor.onUpdate { _ in arrived.withLock { $0 = .now } }
        let mover = try EventLoop(networkNamespace: host.near.descriptor)
        let actor = Mover(loop: mover)
        var samples: [Duration] = []
        for round in 1...2000 {
            let target = round % 2
            let start = try await actor.move(gateway: 0xC000_0001 + UInt32(target) << 8, index: indexes[target])
            await host.eventually("the update") { arrived.withLock { $0 } != nil }
            if let end = arrived.withLock({ $0.take() }) { samples.append(start.duration(to: end)) }
            try await host.loop.sleep(for: .milliseconds(round % 4 == 0 ? 3 : 2))
        }
        samples.sort()
        print(
            "latency: p50 \(samples[samples.count / 2]), p99 \(samples[samples.count * 99 / 100]), n \(samples.count)")
        let floor = try await actor.floor(gateway: 0xC000_0001, index: indexes[0])
        print("request alone: \(floor)")
        print(host.monitor.statistics)
    }

    @Test("one derivation, of it the kernel's answers")
    func derivation() async throws {
        let host = try await Host.online(uplinks: 2)
        let actor = Mover(loop: try EventLoop(networkNamespace: host.near.descriptor))
        print("derivation: \(try await actor.derivation())")
    }

    @Test("two cables cut at once, and the kernel's own news of it beside")
    func twoCables() async throws {
        for isWatched in [false, true] {
            let host = try Host()
            for number in 0...1 { try host.addUplink(number, index: 50 + number) }
            try host.setDefault(.ipv4, to: 0)
            try host.setDefault(.ipv4, to: 1, metric: 100)
            if isWatched { try await host.start() }
            try await host.loop.sleep(for: .milliseconds(2500))
            let monitor = try host.near.start(
                "sh", "-c",
                "ip -ts monitor link | grep -a --line-buffered '^\\[\\|^[0-9]' > /tmp/nw-monitor-\(isWatched)")
            try await host.loop.sleep(for: .milliseconds(300))
            if isWatched { try host.near.ip("link set lo mtu 65000") }
            let cut = MonotonicTime.now
            print("cut at \(Date().timeIntervalSince1970)")
            try host.far.ip("link set p0 down\nlink set p1 down")
            if isWatched {
                await host.expect { path in ["w0", "w1"].allSatisfy { path.interface($0)?.hasCarrier == false } }
                for name in ["w0", "w1"] {
                    let told = host.log.arrival { $0.interface(name)?.hasCarrier == false }
                    print("\(name) told after \(told.map { cut.duration(to: $0) } ?? .zero)")
                }
            }
            try await host.loop.sleep(for: .milliseconds(1500))
            monitor.terminate()
            print(try String(contentsOfFile: "/tmp/nw-monitor-\(isWatched)", encoding: .utf8))
        }
    }

    @Test("start with 2,000 links")
    func manyLinks() async throws {
        let host = try Host()
        try host.addUplink(0)
        try host.setDefault(.ipv4, to: 0)
        let links = (1...1000).map { "link add v\($0) type veth peer name e\($0)\nlink set v\($0) up" }
        try host.near.ip(links.joined(separator: "\n"))
        for round in 1...5 {
            let start = MonotonicTime.now
            let path = try await host.monitor.start()
            print("start \(round) with 2,001 links: \(start.duration(to: .now)), status \(path.status)")
            await host.monitor.stop()
        }
    }
}

private actor Mover {
    private let loop: EventLoop
    private var routes: RouteSwitch?

    init(loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func derivation() throws -> String {
        let oracle = try SocketOracle()
        let state = NetworkState(try oracle.snapshot())
        let derivation = PathDerivation(PathQuestion(), state: state, surroundings: Surroundings(), oracle: oracle)
        var best = Duration.seconds(1)
        var answers = Duration.zero
        for _ in 0..<200 {
            oracle.spent = .zero
            let start = MonotonicTime.now
            _ = try derivation.derive()
            let spent = start.duration(to: .now)
            if spent < best { (best, answers) = (spent, oracle.spent) }
        }
        return "\(best), the kernel's \(oracle.count) answers \(answers)"
    }

    /// How long the request itself takes.
    func floor(gateway: UInt32, index: UInt32) throws -> Duration {
        let start = MonotonicTime.now
        for _ in 0..<100 { try routes?.setDefault(gateway: gateway, index: index) }
        return start.duration(to: .now) / 100
    }

    func move(gateway: UInt32, index: UInt32) throws -> MonotonicTime {
        if routes == nil { routes = try RouteSwitch() }
        let start = MonotonicTime.now
        try routes?.setDefault(gateway: gateway, index: index)
        return start
    }
}

private final class SocketOracle: RoutingOracle {
    private var socket: RequestSocket
    var spent = Duration.zero
    var count = 0

    init() throws {
        socket = try RequestSocket()
    }

    func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        let start = MonotonicTime.now
        defer { spent += start.duration(to: .now) }
        if spent == .zero { count = 0 }
        count += 1
        return try socket.answer(query)
    }

    func snapshot() throws -> Snapshot {
        Snapshot(links: try socket.links().values, addresses: try socket.addresses().values)
    }
}
