import EventLoop
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

@Suite("When probes are sent")
struct ScheduleTests {
    @Test("at the start, each target once and all together")
    func start() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.path(.by("eth0"), cause: .start)
        #expect(world.open.map(\.target.name) == ["a", "b", "c"])
    }

    @Test("after a success, at the interval")
    func interval() throws {
        var world = try Simulation(targets: ["a"], interval: .seconds(30))
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(100)) { _ in .success }
        let times = world.started.dropFirst().map(\.time)
        #expect(zip(times, times.dropFirst()).map { (Double($1 - $0) / 1e9).rounded() } == [30, 30])
    }

    @Test("by default one check address a minute in plain HTTP, and all within half an hour")
    func defaults() {
        var world = Simulation(ConnectivityConfiguration())
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(7200)) { _ in .success }
        let later = world.started.filter { $0.time > 60_000_000_000 }
        let plain = later.filter { !$0.probe.target.isSecure }.map { Double($0.time) / 1e9 }
        let secure = later.filter(\.probe.target.isSecure)
        #expect((115...121).contains(plain.count), "\(plain.count)")
        #expect(zip(plain, plain.dropFirst()).allSatisfy { $1 - $0 < 90 }, "\(plain)")
        #expect((7...8).contains(secure.count), "\(secure.map { ($0.time, $0.probe.target.name) })")
        #expect(world.status == .full)
    }

    @Test("but as often as the configuration says, where it says how often")
    func defaultsByInterval() {
        var configuration = ConnectivityConfiguration()
        configuration.interval = .seconds(30)
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(600)) { _ in .success }
        for target in Target.defaults {
            let count = world.started.count { $0.probe.target == target }
            #expect((20...22).contains(count), "\(target.name): \(count)")
        }
    }

    @Test("after failures, after one second that doubles up to the interval; a success ends it")
    func backoff() throws {
        var world = try Simulation(targets: ["a", "b"], interval: .seconds(10))
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(21)) { _ in .success }
        let count = world.started.count
        world.live(.seconds(60)) { $0.target.name == "a" ? .failure : .success }
        let times = world.started.dropFirst(count).filter { $0.probe.target.name == "a" }.map(\.time)
        let waits = zip(times, times.dropFirst()).map { (Double($1 - $0) / 1e9).rounded() }
        #expect(waits.prefix(3) == [1, 2, 4])
        #expect(waits.allSatisfy { $0 <= 10 })
    }

    @Test("at once when the path changes, whatever the plan was")
    func pathChange() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.by("eth0"), cause: .start)
        for _ in 0..<8 {
            world.end("a", .failure)
            world.advanceToWake()
        }
        world.end("a", .failure)
        world.path(.by("eth1"))
        #expect(world.open.count == 1)
    }

    @Test("on request, but no second one beside one that is under way")
    func request() throws {
        var world = try Simulation(targets: ["a", "b"])
        world.path(.by("eth0"), cause: .start)
        world.end("a", .success)
        world.send(.request)
        #expect(world.open.map(\.target.name) == ["b", "a"])
    }

    @Test("not while there is no path, not even on request")
    func noPath() throws {
        var world = try Simulation(targets: ["a"])
        world.path(.gone, cause: .start)
        world.send(.request)
        world.advance(.seconds(3600))
        #expect(world.started.isEmpty)
    }

    @Test("never more than the limit at one time, and the others follow")
    func limit() throws {
        var world = try Simulation(targets: (0..<100).map { "t\($0)" })
        world.reconfigure { $0.maximumProbesInFlight = 7 }
        world.path(.by("eth0"), cause: .start)
        world.advanceToWake()
        #expect(world.open.count == 7)
        for _ in 0..<100 {
            if world.open.isEmpty { world.advanceToWake() }
            #expect(world.open.count <= 7)
            try #require(!world.open.isEmpty)
            world.end(world.open[0].target.name, .success)
        }
        #expect(Set(world.started.map(\.probe.target.name)).count == 100)
        #expect(world.status == .full)
    }

    @Test("never more than the limit over all ways together, and one that is gone leaves its share to the others")
    func sharedLimit() throws {
        var world = try Simulation(targets: (0..<100).map { "t\($0)" }, perInterface: true)
        world.reconfigure { $0.maximumProbesInFlight = 60 }
        world.path(.by("up1", spares: ["up2", "up3"]), cause: .start)
        world.advanceToWake()
        #expect(world.open.count == 60)
        #expect(Set(world.open.map(\.interface)) == ["up1", "up2", "up3"])
        world.path(.by("up1", spares: ["up2"]))
        for interface in ["up1", "up2"] {
            let probe = try #require(world.open.first { $0.interface == interface })
            world.end(probe, .success)
        }
        // Those that waited have taken places that the third has left.
        #expect(world.open.count > 40 && world.open.count <= 60)
    }

    @Test("a probe of each address has at most as many connections open as there may be probes under way")
    func wideProbes() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        world.reconfigure { configuration in
            for index in 0..<3 { configuration.targets[index].eachAddress = true }
            configuration.maximumProbesInFlight = 40
        }
        world.path(.by("eth0"), cause: .start)
        world.advance(.milliseconds(500))
        #expect(world.open.map(\.width) == [16, 16])
    }

    @Test("probes of each address over several ways have no more connections open together than there may be probes")
    func wideProbesOfWays() throws {
        var world = try Simulation(targets: ["a"], perInterface: true)
        world.reconfigure { configuration in
            configuration.targets[0].eachAddress = true
            configuration.maximumProbesInFlight = 40
        }
        world.path(.by("up1", spares: ["up2", "up3"]), cause: .start)
        world.advance(.milliseconds(500))
        #expect(world.open.map(\.width) == [13, 13, 13])
    }

    @Test("hundreds do not fire together: one after the other, and then evenly over the interval")
    func spread() throws {
        var world = try Simulation(targets: (0..<300).map { "t\($0)" }, interval: .seconds(30))
        world.path(.by("eth0"), cause: .start)
        #expect(world.open.count < 300)
        let start = world.now
        world.live(.seconds(120)) { _ in .success }
        #expect(world.events.last?.connectivity == .full)
        let firstRound = world.started.filter { $0.time < start + 1_000_000_000 }
        #expect(Set(firstRound.map(\.probe.target.name)).count == 300)
        // From then on as many in each second as in any other.
        let later = world.started.filter { $0.time > start + 31_000_000_000 }
        let bySecond = Dictionary(grouping: later) { ($0.time - start) / 1_000_000_000 }
        #expect(bySecond.count >= 85)
        #expect(bySecond.values.dropFirst().allSatisfy { $0.count <= 15 })
    }

    @Test(
        "an event tells the targets it is about, however many there are; a snapshot tells all", arguments: [3, 20, 300])
    func toldTargets(count: Int) throws {
        var world = try Simulation(targets: (0..<count).map { "t\($0 + 7)" }, interval: .seconds(30))
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(2)) { _ in .success }
        world.live(.seconds(40)) { $0.target.name == "t7" ? .failure : .success }
        let fallen = try #require(world.events.last)
        #expect(fallen.connectivity == .limited)
        #expect(fallen.targets.map(\.target) == ["t7"])
        #expect(fallen.probes.map(\.target) == ["t7"])
        #expect(!fallen.othersUnknown)
        let snapshot = world.reducer.snapshot(
            at: Instant(monotonic: MonotonicTime(nanoseconds: world.now), wall: world.now))
        #expect(snapshot.targets.count == count)
        #expect(snapshot.probes.count == count)
    }

    @Test("jitter keeps within its part of the wait and is the same for the same seed", arguments: [UInt64(1), 2, 99])
    func jitter(seed: UInt64) throws {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        configuration.interval = .seconds(100)
        configuration.jitter = 0.2
        func waits() -> [UInt64] {
            var world = Simulation(configuration, seed: seed)
            world.path(.by("eth0"), cause: .start)
            world.live(.seconds(5200)) { _ in .success }
            let times = world.started.map(\.time)
            return zip(times, times.dropFirst()).map { $1 - $0 }.dropFirst().prefix(50).map(\.self)
        }
        let first = waits()
        #expect(first.allSatisfy { (80_000_000_000...120_000_000_000).contains($0) })
        #expect(Set(first).count > 40)
        #expect(first == waits())
    }

    @Test("a removed target is not probed any more, a new one at once, and the others keep what was found")
    func configuration() throws {
        var world = try Simulation(targets: ["a", "b"])
        world.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        var configuration = world.reducer.configuration
        configuration.targets = [configuration.targets[0], try Target("http://c.test/", name: "c")]
        world.send(.configuration(configuration))
        #expect(world.open.map(\.target.name) == ["a", "c"])
        #expect(world.status == .full)
        world.live(.seconds(5)) { $0.target.name == "c" ? .failure : .success }
        #expect(world.status == .limited)
    }
}
