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
        world.end("a", .success)
        #expect(world.wake == MonotonicTime(nanoseconds: world.now + 30_000_000_000))
    }

    @Test("after failures, after one second that doubles up to the interval; a success ends it")
    func backoff() throws {
        var world = try Simulation(targets: ["a"], interval: .seconds(10))
        world.path(.by("eth0"), cause: .start)
        var waits: [UInt64] = []
        for outcome in [ProbeResult.Outcome](repeating: .failure, count: 6) + [.success, .failure] {
            world.end("a", outcome)
            waits.append(((world.wake?.nanoseconds ?? 0) - world.now) / 1_000_000_000)
            world.advanceToWake()
        }
        #expect(waits == [1, 2, 4, 8, 10, 10, 10, 1])
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
        world.end("a", .failure)
        #expect(world.wake == MonotonicTime(nanoseconds: world.now + 1_000_000_000))
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
        world.reducer.configuration.maximumProbesInFlight = 7
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

    @Test(
        "a probe of each address counts as many times as its name has addresses, and as the most while that is not known"
    )
    func wideProbes() throws {
        var world = try Simulation(targets: ["a", "b", "c"])
        for index in 0..<3 { world.reducer.configuration.targets[index].eachAddress = true }
        world.reducer.configuration.maximumProbesInFlight = 40
        world.path(.by("eth0"), cause: .start)
        #expect(world.open.map(\.width) == [16, 16])
        for _ in 0..<3 {
            let probe = try #require(world.open.first)
            world.open.removeFirst()
            var result = ProbeResult.test(probe.target.name, .success, at: world.now)
            result.addresses = try ["192.0.2.1", "192.0.2.2"].map {
                AddressResult(address: try #require(IPAddress($0)), outcome: .success, duration: 1_000_000)
            }
            world.send(.ended(probe.id, result))
        }
        #expect(world.status == .full)
        world.reducer.configuration.maximumProbesInFlight = 5
        world.advance(.seconds(60))
        #expect(world.open.map(\.width) == [2, 2])
        world.endAll(.success)
        #expect(world.open.map(\.width) == [2])
    }

    @Test("hundreds do not fire together: a few at once, the others in their turn, and then all drawn apart")
    func spread() throws {
        var world = try Simulation(targets: (0..<300).map { "t\($0)" }, interval: .seconds(30))
        world.path(.by("eth0"), cause: .start)
        #expect(world.open.count == Spread.burst)
        let start = world.now
        world.live(.seconds(120)) { _ in .success }
        #expect(world.events.last?.connectivity == .full)
        let firstRound = world.started.prefix(300)
        #expect(Set(firstRound.map(\.probe.target.name)).count == 300)
        #expect(firstRound.allSatisfy { $0.time < start + 1_000_000_000 })
        // From then on as many in each second as in any other.
        let later = world.started.filter { $0.time > start + 31_000_000_000 }
        let bySecond = Dictionary(grouping: later) { ($0.time - start) / 1_000_000_000 }
        #expect(bySecond.count >= 85)
        #expect(bySecond.values.dropFirst().allSatisfy { $0.count <= 15 })
    }

    @Test("no wait is longer than the interval while hundreds are drawn apart", arguments: [1, 10, 600])
    func longestWait(interval: Int) throws {
        let spread = Spread(count: 10_000, interval: .seconds(interval))
        for rank in stride(from: 0, to: 10_000, by: 99) {
            #expect(spread.secondWait(rank) > .zero)
            #expect(spread.secondWait(rank) <= .seconds(interval) + .milliseconds(1))
            #expect(spread.firstWait(rank) <= .seconds(interval))
        }
    }

    @Test("where there are hundreds, those that would be due close together are due at one time, and none is late")
    func company() throws {
        var world = try Simulation(targets: (0..<300).map { "t\($0)" }, interval: .seconds(10))
        world.path(.by("eth0"), cause: .start)
        let start = world.now
        world.advanceToWake()
        #expect(world.started.count > Spread.burst + 1)
        world.live(.seconds(60)) { _ in .success }
        let later = world.started.filter { $0.time > start + 21_000_000_000 }
        #expect(later.count > 1000)
        #expect(Set(later.map(\.time)).count < later.count / 2)
        #expect(world.started.allSatisfy { start in start.probe.due.map(\.nanoseconds) == start.time })
    }

    @Test(
        "no more are due at one time the more there are, and fewer where a handshake comes first",
        arguments: [true, false])
    func companySize(isSecure: Bool) {
        let company = isSecure ? Spread.secureCompany : Spread.company
        for count in [1_000, 10_000, 100_000] {
            let spread = Spread(count: count, interval: .seconds(10), isSecure: isSecure)
            let times = (0..<count).map { UInt64($0) * 10_000_000_000 / UInt64(count) }
            let met = Dictionary(grouping: times) { spread.meeting(near: MonotonicTime(nanoseconds: $0)).nanoseconds }
            #expect(met.values.allSatisfy { $0.count <= company + 1 })
            #expect(
                met.allSatisfy { met in met.value.allSatisfy { max($0, met.key) - min($0, met.key) <= 50_000_000 } })
        }
    }

    @Test("the last time there is, which a recording may have, stays as it is")
    func endOfTime() {
        let end = MonotonicTime(nanoseconds: .max)
        #expect(Spread(count: 1_000, interval: .seconds(10)).meeting(near: end) == end)
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
            return (0..<50).map { _ in
                let start = world.now
                world.end("a", .success)
                world.advanceToWake()
                return world.now - start
            }
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
