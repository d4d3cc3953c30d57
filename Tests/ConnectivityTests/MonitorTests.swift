import Connectivity
import EventLoop
import Foundation
import Netwatch
import Reachability
import RequestEngine
import Synchronization
import TestSupport
import Testing

/// The monitor on real links with a real server behind them.
@Suite(
    "The connectivity monitor",
    .enabled(if: TestNamespace.unavailable == nil && NginxServer.isInstalled, "no network namespaces or no nginx here"))
struct MonitorTests {
    private let client: TestNamespace
    private let uplink: Uplink
    private let loop: EventLoop

    init() throws {
        client = try TestNamespace()
        uplink = try Uplink("up1", number: 1, of: client)
        loop = try EventLoop(networkNamespace: client.descriptor)
    }

    private func server(_ location: String = "location / { return 204; }") throws -> NginxServer {
        try NginxServer(in: uplink.router, port: 80, locations: location)
    }

    private func monitor(_ change: (inout ConnectivityConfiguration) -> Void = { _ in }) throws -> ConnectivityMonitor {
        var target = try Target("http://\(uplink.gateway)/", name: "server", expectation: .noContent)
        target.timeout = .seconds(5)
        var configuration = ConnectivityConfiguration(targets: [target])
        configuration.interval = .milliseconds(300)
        configuration.retryDelay = .milliseconds(100)
        change(&configuration)
        return ConnectivityMonitor(configuration: configuration, loop: loop)
    }

    @Test("the server answers: full; it stops: not full; it starts: full; the route goes: none, at once")
    func lifeOfAServer() async throws {
        try uplink.addDefaultRoute()
        var server: NginxServer? = try server()
        let monitor = try monitor()
        let reader = EventReader(monitor)
        try await monitor.start()
        let full = try await reader.wait(for: .full)
        #expect(full.reachability == .ethernet)
        #expect(full.probes.map(\.outcome) == [.success])
        #expect(full.probes.first?.phases.isEmpty == false)
        server = nil
        let fallen = try await reader.wait(for: .limited)
        #expect(fallen.cause.kind == .probe)
        #expect(fallen.probes.map(\.reason) == [.connectionRefused])
        server = try self.server()
        try await reader.wait(for: .full)
        try uplink.deleteDefaultRoute()
        let none = try await reader.wait(for: .none)
        #expect(none.cause.kind == .route)
        #expect(none.from?.connectivity == .full)
        #expect(none.reachability == .none)
        let seen = await reader.seen
        // Begun before the start, it has the state as it was then, the start's own, and whatever came after without a gap.
        #expect(seen.first?.reachability == .unknown)
        #expect(seen.prefix(2).map(\.kind) == [.snapshot, .snapshot])
        #expect(seen.map(\.seq) == Array(0..<UInt64(seen.count)))
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a portal is told with its address, and its end as soon as it lets through")
    func portal() async throws {
        try uplink.addDefaultRoute()
        var server: NginxServer? = try server("location / { return 302 http://login.test/welcome; }")
        let monitor = try monitor()
        let reader = EventReader(monitor)
        try await monitor.start()
        let portal = try await reader.wait(for: .portal)
        #expect(portal.portal == "http://login.test/welcome")
        server = nil
        server = try self.server()
        let full = try await reader.wait(for: .full)
        #expect(full.portal == nil)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a portal that sends people elsewhere is told; another query of each answer's own is not")
    func movedPortal() async throws {
        try uplink.addDefaultRoute()
        let folder = try TemporaryFolder()
        let server = try server(
            """
            location / {
                if (-f \(folder.path)/moved) { return 302 http://other.test/start?id=$request_id; }
                return 302 http://login.test/welcome?id=$request_id;
            }
            """)
        let monitor = try monitor()
        let reader = EventReader(monitor)
        try await monitor.start()
        let first = try await reader.wait(for: .portal)
        // Probes go on, each with an answer of its own.
        let probes = monitor.statistics.probes
        try await expectSoon { monitor.statistics.probes >= probes + 3 }
        _ = try folder.write([], to: "moved")
        // The kernel may add an address of its own meanwhile.
        let moved = try await reader.wait { $0.kind != .path }
        #expect(moved.kind == .portal)
        let since = await reader.seen.filter { $0.seq > first.seq }
        #expect(moved.seq == first.seq + UInt64(since.count))
        #expect(moved.portal?.hasPrefix("http://other.test/start?id=") == true)
        #expect(moved.from == moved.to)
        #expect(moved.cause.description.contains("http://other.test/start?id="))
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a target with an interval of its own is probed at that, the others at theirs")
    func ownInterval() async throws {
        try uplink.addDefaultRoute()
        let server = try server()
        var often = try Target("http://\(uplink.gateway)/often", name: "often", expectation: .noContent)
        often.interval = .milliseconds(100)
        often.jitter = 0
        let seldom = try Target("http://\(uplink.gateway)/seldom", name: "seldom", expectation: .noContent)
        let monitor = try monitor {
            $0.targets = [often, seldom]
            $0.interval = .seconds(3600)
            $0.timeout = .seconds(10)
        }
        let reader = EventReader(monitor)
        try await monitor.start()
        try await reader.wait(for: .full)
        try await expectSoon { server.accessLog.count { $0.contains("/often") } >= 10 }
        // At the start, and where the path has changed since.
        #expect(server.accessLog.count { $0.contains("/seldom") } <= 3)
        await monitor.stop()
    }

    @Test("without a path there is no probe, and with the path it comes at once")
    func noPath() async throws {
        let server = try server()
        try uplink.router.ip("address add 10.99.0.1/32 dev lo")
        let target = try Target("http://10.99.0.1/", name: "far", expectation: .noContent)
        let monitor = try monitor {
            $0.targets = [target]
            $0.interval = .seconds(3600)
            $0.timeout = .seconds(10)
        }
        let reader = EventReader(monitor)
        try await monitor.start()
        #expect(monitor.current.connectivity == .none)
        #expect(monitor.statistics.probes == 0)
        try uplink.addDefaultRoute()
        try await reader.wait(for: .full)
        #expect(monitor.statistics.probes == 1)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("a target on the link itself is probed and up without a route out, and down with its server")
    func linkWithoutRoute() async throws {
        var servers = [
            try server(), try NginxServer(in: uplink.router, port: 81, locations: "location / { return 204; }"),
        ]
        let other = try Target("http://\(uplink.gateway):81/", name: "other", expectation: .noContent)
        let monitor = try monitor {
            $0.targets.append(other)
            $0.timeout = .seconds(10)
        }
        let reader = EventReader(monitor)
        try await monitor.start()
        try await expectSoon { monitor.current.targets.allSatisfy { $0.status == .up } }
        #expect(monitor.current.connectivity == .none)
        servers.removeLast()
        let event = try await reader.wait { $0.targets.contains { $0.status == .down } }
        #expect(event.kind == .target || event.kind == .path)
        #expect(event.targets.map(\.target) == ["other"])
        #expect(event.targets.first?.reason == .connectionRefused)
        #expect(event.targets.first?.blame == .target)
        #expect(monitor.current.targets.map(\.status) == [.up, .down])
        await monitor.stop()
        withExtendedLifetime(servers) {}
    }

    @Test("it starts and stops again and again; the numbers go on and each sequence begins with a snapshot")
    func restart() async throws {
        try uplink.addDefaultRoute()
        let server = try server()
        let monitor = try monitor()
        var last: UInt64 = 0
        for _ in 0..<20 {
            // Begun between two runs it would end at once.
            try await monitor.start()
            let reader = EventReader(monitor)
            let first = try #require(try await reader.next())
            #expect(first.kind == .snapshot)
            #expect(first.seq > last)
            if first.connectivity != .full { try await reader.wait(for: .full) }
            await monitor.stop()
            while let event = try await reader.next() { #expect(event.kind != .snapshot) }
            let seen = await reader.seen
            #expect(seen.map(\.seq) == Array(first.seq..<first.seq + UInt64(seen.count)))
            last = try #require(seen.last?.seq)
            #expect(monitor.current.connectivity == .unknown)
        }
        withExtendedLifetime(server) {}
    }

    @Test("callbacks come in order, where they were asked for", arguments: ["loop", "executor", "custom"])
    func callbacks(place: String) async throws {
        try uplink.addDefaultRoute()
        let server = try server()
        let monitor = try monitor()
        let other = try EventLoop(name: "other")
        let execution: CallbackExecution =
            switch place {
            case "loop": .loop
            case "executor": .executor(other)
            default: .custom { work in other.schedule(after: .zero) { work() } }
            }
        let calls = Calls()
        let expected = place == "loop" ? loop : other
        let subscription = monitor.onEvent(on: execution) {
            calls.add($0, isInPlace: expected.isIsolatingCurrentContext() == true)
        }
        let reader = EventReader(monitor)
        try await monitor.start()
        try await reader.wait(for: .full)
        try uplink.deleteDefaultRoute()
        let none = try await reader.wait(for: .none)
        try await expectSoon { calls.events.contains { $0.seq >= none.seq } }
        subscription.cancel()
        try uplink.addDefaultRoute()
        let back = try await reader.wait { $0.reachability == .ethernet }
        if back.connectivity != .full { try await reader.wait(for: .full) }
        let (called, seen) = (calls.events, await reader.seen)
        // The sequence has the state before the start, too; callbacks begin with the start.
        #expect(seen.first?.seq == 0)
        #expect(called == Array(seen.dropFirst().prefix(called.count)))
        #expect(called.allSatisfy { $0.seq < back.seq })
        #expect(calls.areInPlace)
        await monitor.stop()
        withExtendedLifetime(server) {}
    }

    @Test("several monitors live side by side on one loop")
    func several() async throws {
        try uplink.addDefaultRoute()
        let server = try server()
        let monitors = try (0..<4).map { _ in try monitor() }
        let readers = monitors.map { EventReader($0) }
        for monitor in monitors { try await monitor.start() }
        for reader in readers { try await reader.wait(for: .full) }
        await monitors[0].stop()
        try uplink.deleteDefaultRoute()
        for reader in readers.dropFirst() { try await reader.wait(for: .none) }
        for monitor in monitors { await monitor.stop() }
        withExtendedLifetime(server) {}
    }

    @Test("a configuration that cannot be probed is refused with what is wrong")
    func badConfiguration() async throws {
        let monitor = try monitor { $0.targets += $0.targets }
        await #expect(throws: ConnectivityError.self) { try await monitor.start() }
        for change: @Sendable (inout ConnectivityConfiguration) -> Void in [
            { $0.jitter = .nan }, { $0.jitter = 2 }, { $0.interval = .zero }, { $0.timeout = .seconds(-1) },
            { $0.rise = 0 }, { $0.maximumProbesInFlight = 0 }, { $0.targets[0].timeout = .zero },
            { $0.targets[0].interval = .zero }, { $0.targets[0].jitter = 1.5 }, { $0.targets[0].retries = -1 },
        ] {
            let monitor = try self.monitor(change)
            await #expect(throws: ConnectivityError.self) { try await monitor.start() }
        }
        #expect(throws: TargetError.scheme("ftp", url: "ftp://host/")) { try Target("ftp://host/") }
        #expect(throws: TargetError.noHost(url: "http:///x")) { try Target("http:///x") }
        #expect(throws: TargetError.notAURL("http://a b/")) { try Target("http://a b/") }
    }
}

/// What a callback was called with.
private final class Calls: Sendable {
    private let state = Mutex<(events: [Event], areInPlace: Bool)>(([], true))

    func add(_ event: Event, isInPlace: Bool) {
        state.withLock {
            $0.events.append(event)
            $0.areInPlace = $0.areInPlace && isInPlace
        }
    }

    var events: [Event] { state.withLock { $0.events } }
    var areInPlace: Bool { state.withLock { $0.areInPlace } }
}
