import EventLoop
import NetworkAddress
import Reachability
import Synchronization
import TestSupport
import Testing

/// Time and meaning.
@Suite("E: time and meaning", .enabled(if: TestNamespace.unavailable == nil, "needs network namespaces"))
struct TimeTests {
    @Test("E1 a change amid steady churn is told while the churn goes on")
    func e1Churn() async throws {
        let host = try await Host.online(uplinks: 2)
        let rounds = 150
        let done = Mutex(0)
        let churn = Task {
            for round in 1...rounds where !Task.isCancelled {
                try host.near.ip("link set lo mtu \(60000 + round)")
                done.withLock { $0 = round }
                try await host.loop.sleep(for: .milliseconds(20))
            }
        }
        defer { churn.cancel() }
        await host.eventually("the churn goes on") { done.withLock { $0 } > 10 }
        try host.near.ip("route replace default via 192.0.1.1 dev w1")
        let moved = done.withLock { $0 }
        await host.expect { $0.interfacesInUse == ["w1"] }
        #expect(done.withLock { $0 } - moved < 10, "it is told before ten more changes came")
    }

    @Test("E2 (injected) a sleep is told from a clock that was set")
    func e2Suspend() {
        var detector = SuspendDetector(asleep: .seconds(60))
        #expect(detector.observe(asleep: .seconds(60)) == nil, "an NTP step leaves both clocks alone")
        #expect(detector.observe(asleep: .seconds(60) + .microseconds(3)) == nil)
        #expect(detector.observe(asleep: .seconds(3660)) == .seconds(3600))
        #expect(detector.observe(asleep: .seconds(3660)) == nil)
    }

    @Test("E2 (injected) after a sleep the state is read anew and told, changed or not")
    func e2Resume() async throws {
        let host = try await Host.online()
        await host.monitor.resume(after: .seconds(3600))
        await host.settle()
        let update = try #require(host.log.updates.first)
        #expect(update.cause.kind == .resume)
        #expect(update.isResync)
        #expect(!update.isTransition)
        #expect(host.monitor.statistics.resyncs[.resume] == 1)
    }

    @Test("E5 a reader's first value is the present path, and right")
    func e5FirstValue() async throws {
        let host = try await Host.online()
        for _ in 1...3 {
            var updates = host.monitor.updates.makeAsyncIterator()
            let first = try #require(await updates.next())
            #expect(first.path == host.path)
            #expect(first.previous == .unknown)
        }
    }

    @Test("E5 a reader who comes before the start gets the first path and none before it")
    func e5BeforeStart() async throws {
        let host = try Host()
        try host.addUplink(0)
        try host.setDefault(.ipv4, to: 0)
        var updates = host.monitor.updates.makeAsyncIterator()
        try await host.start()
        #expect(await updates.next()?.path.status == .ethernet)
    }

    @Test("E6 a monitor can be stopped and started a hundred times")
    func e6Restart() async throws {
        let host = try await Host.online()
        for round in 1...100 {
            await host.monitor.stop()
            if round % 2 == 0 { try host.setDefault(.ipv4, to: 0) } else { try host.deleteDefault(.ipv4, of: 0) }
            let path = try await host.monitor.start()
            #expect(path.status == (round % 2 == 0 ? .ethernet : .none))
        }
    }

    @Test("E6 what is counted only grows, over a stop and a start too")
    func e6Counters() async throws {
        let host = try await Host.online()
        await host.monitor.stop()
        let before = host.monitor.statistics
        _ = try await host.monitor.start()
        #expect(before.lookups > 0)
        #expect(host.monitor.statistics.lookups >= before.lookups)
        #expect(host.monitor.statistics.droppedMessages >= before.droppedMessages)
    }

    @Test("E6 a stop ends the sequences and all calls")
    func e6Stop() async throws {
        let host = try await Host.online()
        var updates = host.monitor.updates.makeAsyncIterator()
        #expect(await updates.next() != nil)
        await host.monitor.stop()
        #expect(await updates.next() == nil)
        host.log.clear()
        try host.deleteDefault(.ipv4, of: 0)
        #expect(host.log.updates.isEmpty)
        #expect(host.path.status == .ethernet, "the last path known")
    }

    @Test("a monitor that is let go ends its sequences")
    func release() async throws {
        let host = try await Host.online()
        let updates = try await passing(host)
        var iterator = updates.makeAsyncIterator()
        while await iterator.next() != nil {}
    }

    /// The updates of a monitor that ends with this function.
    private func passing(_ host: Host) async throws -> PathUpdates {
        let monitor = PathMonitor(loop: host.loop)
        #expect(try await monitor.start().status == .ethernet)
        return monitor.updates
    }

    @Test("a route that expires ends with its lifetime, long before the kernel tells")
    func expiry() async throws {
        let host = try await Host.online(families: [])
        try host.near.ip("route add default via 2001:db8:0::1 dev w0 expires 1")
        await host.wait(for: .ethernet)
        let before = host.monitor.statistics.messages.route
        await host.wait(for: .none)
        #expect(host.monitor.statistics.messages.route == before)
    }

    /// A host whose far end may advertise itself at once: its own address needs no check.
    private func hostOfRouter() async throws -> Host {
        let host = try Host()
        try host.far.run("sysctl", "-qw", "net.ipv6.conf.default.accept_dad=0")
        try host.addUplink(0)
        try await host.start()
        await host.wait { $0.interface("w0")?.operationalState == "up" }
        return host
    }

    @Test("C4 a router that shortens its own lifetime is gone when that ends, though no message told of it")
    func shortenedLifetime() async throws {
        let host = try await hostOfRouter()
        let prefix = RouterAdvertisement.Option.prefix("2001:db8:77::", lifetime: 3600)
        try host.far.sendAndForget(RouterAdvertisement(options: [prefix]), by: "p0")
        await host.wait("the router is known") { $0.supportsIPv6 }
        host.log.clear()
        let sent = MonotonicTime.now
        try host.far.sendAndForget(RouterAdvertisement(options: [prefix], lifetime: 2), by: "p0")
        await host.wait(for: .none)
        let told = try #require(host.log.arrival { $0.status == .none })
        #expect(sent.duration(to: told) > .milliseconds(1900))
        #expect(throws: (any Error).self, "the kernel has no route either") {
            try host.near.run("ip", "-6", "route", "get", "2607:f8b0::1")
        }
    }

    @Test("a default route that has expired is back with the next advertisement, which brings no message of it")
    func revivedRoute() async throws {
        let host = try await hostOfRouter()
        let prefix = RouterAdvertisement.Option.prefix("2001:db8:77::", lifetime: 3600)
        try host.far.sendAndForget(RouterAdvertisement(options: [prefix], lifetime: 2), by: "p0")
        await host.wait("the router is known") { $0.supportsIPv6 }
        await host.wait(for: .none)
        // The kernel collects it half a minute after it came.
        let before = host.monitor.statistics.messages.route
        try host.far.sendAndForget(RouterAdvertisement(options: [prefix]), by: "p0")
        await host.wait("the router is back") { $0.supportsIPv6 }
        #expect(host.monitor.statistics.messages.route == before)
    }

    @Test("C4 a hundred advertisements that renew the router's lifetime are no news")
    func renewedLifetime() async throws {
        let host = try await hostOfRouter()
        let prefix = RouterAdvertisement.Option.prefix("2001:db8:77::", lifetime: 3600)
        let advertisement = RouterAdvertisement(options: [prefix])
        try host.far.sendAndForget(advertisement, by: "p0")
        await host.wait { $0.supportsIPv6 }
        await host.settle()
        host.log.clear()
        let before = host.monitor.statistics.messages.userOption
        // Not all at once: on a busy machine they would overrun the socket, and a state that is read anew is told.
        for round in 1...10 {
            for _ in 1...10 { try host.far.sendAndForget(advertisement, by: "p0") }
            await host.eventually("they are read") {
                host.monitor.statistics.messages.userOption >= before + UInt64(round) * 10
            }
        }
        await host.settle()
        #expect(host.log.updates.isEmpty, "\(host.log.updates.map(\.cause))")
    }

    @Test("E9 an address without a way out is no path")
    func e9Local() async throws {
        let host = try await Host.online(families: [])
        #expect(host.path.status == .none)
        #expect(host.path.reason == .noRoute)
        #expect(host.path.interface("w0")?.ipv4 == .unusable(.noRoute))
    }

    @Test("a slow reader holds nobody up, and is told how much it missed")
    func slowReader() async throws {
        let host = try await Host.online(uplinks: 2)
        var updates = host.monitor.updates.makeAsyncIterator()
        #expect(await updates.next() != nil)
        let before = host.monitor.statistics.updates
        for round in 1...40 {
            try host.near.ip("route replace default via 192.0.\(round % 2).1 dev w\(round % 2)")
            await host.expect { $0.interfacesInUse == ["w\(round % 2)"] }
        }
        var seen: UInt64 = 0
        var last: PathUpdate?
        while host.monitor.statistics.updates - before > seen, let update = await updates.next() {
            seen += 1 + update.skipped
            if let last { #expect(update.previous == last.path) }
            last = update
        }
        #expect(last?.path == host.path)
    }
}
