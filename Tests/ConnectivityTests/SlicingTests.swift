import EventLoop
import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

/// What a path means for thousands of checks is worked out after the path is told, in slices.
@Suite("Paths with many targets")
struct SlicingTests {
    @Test("another way out of hundreds is told before what it means for each of them is worked out")
    func putOff() throws {
        var world = try Self.world(300)
        #expect(world.status == .full)
        let before = world.started.count
        world.path(.by("eth1"))
        #expect(world.events.last?.to.interfaces == ["eth1"])
        #expect(world.status == .unknown)
        #expect(world.started.count == before)
        #expect(world.wake == MonotonicTime(nanoseconds: world.now).advanced(by: .nanoseconds(Unsettled.pause)))
        let events = world.events.count
        world.settle()
        #expect(world.open.count == Spread.burst)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
        world.live(.seconds(2)) { _ in .success }
        #expect(world.events.dropFirst(events).filter { $0.kind != .target }.map(\.connectivity) == [.full])
    }

    @Test("no input has more than a slice of the checks changed, whatever path it follows")
    func bound() throws {
        var world = try Self.world(2000)
        for path in [Path.by("eth1"), .by("eth1", ipv6: true), .by("eth2")] {
            let before = world.changes { $0.path(path) }
            #expect(before == 0)
            var slices: [Int] = []
            while world.reducer.unsettled != nil { slices.append(world.changes { $0.advanceToWake() }) }
            // The probes that the last one starts are bounded by themselves.
            #expect(slices.dropLast().allSatisfy { $0 <= world.reducer.slicing.slice })
            #expect(slices.count >= 2000 / world.reducer.slicing.slice)
            world.live(.seconds(3)) { _ in .success }
            #expect(world.status == .full)
        }
    }

    @Test("a path between two slices is told at once, and a snapshot then tells no target by the way before")
    func between() throws {
        var world = try Self.world(1000)
        world.path(.by("eth1"))
        for _ in 0..<3 { world.advanceToWake() }
        #expect(world.reducer.unsettled != nil)
        let events = world.events.count
        world.path(.gone)
        #expect(world.events.dropFirst(events).map(\.connectivity) == [.none])
        let now = Instant(monotonic: MonotonicTime(nanoseconds: world.now), wall: world.now)
        let snapshot = world.reducer.snapshot(at: now)
        #expect(snapshot.targets.count == 1000)
        #expect(snapshot.targets.allSatisfy { $0.status == .unknown && $0.blame == .path })
        world.settle()
        #expect(world.reducer.health == snapshot.targets)
        #expect(world.events.count == events + 1)
        world.path(.by("eth0"))
        world.live(.seconds(3)) { _ in .success }
        #expect(world.events.last?.to.interfaces == ["eth0"])
        #expect(world.status == .full)
    }

    @Test("a target over another lane that falls between two slices is told to be down")
    func otherLane() throws {
        var world = try Simulation(targets: (0..<300).map { "t\($0)" }, interval: .seconds(30), perInterface: true)
        world.path(.by("eth0", spares: ["eth1"]), cause: .start)
        world.live(.seconds(2)) { _ in .success }
        world.live(.seconds(40)) { $0.target.name == "t7" ? .failure : .success }
        #expect(world.reducer.health.filter { $0.status == .down }.map(\.target) == ["t7"])
        let told = world.events.reversed().compactMap { $0.targets.first { $0.target == "t7" } }
        #expect(told.first?.status == .down)
    }

    @Test(
        "several paths one after the other, with hundreds of targets, lead to where each alone would",
        arguments: [0, 1])
    func putOffAgain(spares: Int) throws {
        var world = try Simulation(
            targets: (0..<300).map { "t\($0)" }, interval: .seconds(30), perInterface: spares > 0)
        world.path(.gone, cause: .start)
        world.path(.by("eth0", spares: Array(["eth1"].prefix(spares))))
        world.path(.gone)
        #expect(world.status == ConnectivityStatus.none)
        world.path(.by("eth1", spares: Array(["eth0"].prefix(spares))))
        world.live(.seconds(3)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.events.last?.to.interfaces == ["eth1"])
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test(
        "where the way changes again and again, every target has its turn, and none becomes too old",
        arguments: ["127.0.0.1", "203.0.113.1"])
    func turns(address: String) throws {
        var world = try Self.world(500, address: address)
        let start = world.started.count
        for round in 0..<300 {
            world.path(.by("eth\(round % 2)"))
            world.live(.milliseconds(200)) { _ in .success }
        }
        let probed = Dictionary(grouping: world.started.dropFirst(start), by: \.probe.target.name)
        #expect(probed.count == 500)
        let counts = probed.values.map(\.count)
        #expect((counts.min() ?? 0) * 2 >= counts.max() ?? 0)
        #expect(world.events.allSatisfy { $0.cause.fields["late"] == nil })
    }

    @Test("the only way out is told to be lost and back before what that means for each target is worked out")
    func onlyUplink() throws {
        var world = try Self.world(2000)
        for _ in 0..<3 {
            #expect(world.changes { $0.path(.gone) } == 0)
            #expect(world.status == ConnectivityStatus.none)
            #expect(world.events.last.map { $0.othersUnknown && $0.targets.isEmpty } == true)
            let events = world.events.count
            #expect(world.slices().allSatisfy { $0 <= world.reducer.slicing.slice })
            #expect(world.events.count == events)
            #expect(world.reducer.checks.isEmpty)
            #expect(world.reducer.health.allSatisfy { $0.status == .unknown && $0.blame == .path })
            #expect(world.changes { $0.path(.by("eth0")) } == 0)
            #expect(world.status == .unknown)
            #expect(world.events.count == events + 1)
            _ = world.slices()
            #expect(world.reducer.checks.count == 2000)
            world.live(.seconds(3)) { _ in .success }
            #expect(world.status == .full)
            #expect(world.reducer.health.allSatisfy { $0.status == .up })
        }
    }

    @Test(
        "a way that is back before its loss is worked out leads to where it would have led afterwards",
        arguments: 0..<12)
    func backInTime(slices: Int) throws {
        var world = try Self.world(500)
        world.path(.gone)
        for _ in 0..<slices { world.advanceToWake() }
        world.path(.by("eth0"))
        #expect(world.status == .unknown)
        world.live(.seconds(3)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.checks.count == 500)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("that nobody answers any more is told in one event, and so is that somebody does again")
    func silence() throws {
        var world = try Self.world(1000)
        let events = world.events.count
        var most = 0
        for _ in 0..<40_000 where world.status != .local || world.reducer.unsettled != nil {
            world.now += 1_000_000
            most = max(most, world.changes { $0.open.isEmpty ? $0.advanceToWake() : $0.end($0.open[0], .failure) })
        }
        #expect(world.status == .local)
        #expect(most <= world.reducer.slicing.slice)
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
        #expect(world.events.dropFirst(events).allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
        #expect(world.events.dropFirst(events).count { $0.kind == .transition } == 1)
        world.live(.seconds(20)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("a request, and other targets, are worked out in slices, and results wait for that")
    func requests() throws {
        var world = try Self.world(1000)
        let next = world.nextProbe()
        let result = try #require(next)
        #expect(world.changes { $0.send(.request) } == 0)
        world.end(result, .failure)
        #expect(world.reducer.waiting.count == 1)
        #expect(world.slices().allSatisfy { $0 <= world.reducer.slicing.slice })
        world.advanceToWake()
        #expect(world.reducer.waiting.isEmpty)
        world.live(.seconds(3)) { _ in .success }
        var new = world.reducer.configuration
        new.targets.removeFirst(400)
        new.targets += try (0..<200).map { try Target("http://u\($0).test/", name: "u\($0)") }
        let kept = world.reducer.health.suffix(600).map(\.target)
        #expect(world.changes { $0.send(.configuration(new)) } == 0)
        #expect(world.reducer.configuration.targets.count == 1000)
        while world.reducer.unsettled != nil { world.advanceToWake() }
        #expect(world.reducer.configuration == new)
        #expect(world.reducer.health.map(\.target) == new.targets.map(\.name))
        #expect(world.reducer.health.filter { $0.status == .up }.map(\.target) == kept)
        world.live(.seconds(3)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.reducer.health.allSatisfy { $0.status == .up })
    }

    @Test("what nobody looked at for too long is forgotten in slices, and told once")
    func unwatched() throws {
        var world = try Self.world(1000)
        world.live(.seconds(30)) { _ in .success }
        let events = world.events.count
        world.now += 600_000_000_000
        var slices = [world.changes { $0.send(.timer) }]
        while world.isBehind { slices.append(world.changes { $0.advanceToWake() }) }
        #expect(slices.dropLast().allSatisfy { $0 <= 2 * world.reducer.slicing.slice })
        #expect(world.reducer.health.allSatisfy { $0.status == .unknown })
        #expect(world.events.dropFirst(events).first?.connectivity == .unknown)
        #expect(world.events.dropFirst(events).count { $0.kind == .transition } == 1)
        world.live(.seconds(3)) { _ in .success }
        #expect(world.status == .full)
    }

    @Test("what is done in slices comes to the same as what is done at once", arguments: UInt64(1)...60)
    func equivalence(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        var pair = try Pair(perInterface: seed.isMultiple(of: 3), perFamily: seed.isMultiple(of: 5))
        for _ in 0..<100 {
            pair.step(using: &random)
            #expect(pair.atOnce.facts == pair.sliced.facts)
        }
    }

    private static func world(_ count: Int, address: String = "203.0.113.1") throws -> Simulation {
        var world = try Simulation(targets: (0..<count).map { "t\($0)" }, interval: .seconds(10))
        world.address = { _ in IPAddress(address) }
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(3)) { _ in .success }
        return world
    }
}

extension Simulation {
    /// Goes on until all is done that the path has left to do.
    fileprivate mutating func settle() {
        while reducer.unsettled != nil { advanceToWake() }
    }

    /// How many checks something changes that are not being probed.
    fileprivate mutating func changes(_ something: (inout Simulation) -> Void) -> Int {
        let before = reducer.checks
        something(&self)
        return zip(before, reducer.checks).count { old, new in
            old.probe == nil && (old.due != new.due || old.standing != new.standing || old.result != new.result)
        }
    }

    /// Goes on until all is done that is left to do; how many checks each slice but the last has changed.
    fileprivate mutating func slices() -> [Int] {
        var slices: [Int] = []
        while reducer.unsettled != nil { slices.append(changes { $0.advanceToWake() }) }
        // The probes that the last one starts are bounded by themselves.
        return slices.dropLast()
    }

    fileprivate var instant: Instant { Instant(monotonic: MonotonicTime(nanoseconds: now), wall: now) }

    /// Goes on until a probe is under way.
    fileprivate mutating func nextProbe() -> Probe? {
        for _ in 0..<100 where open.isEmpty { advanceToWake() }
        return open.first
    }

    /// What is known, in whatever order it was found.
    fileprivate var facts: [String] {
        reducer.health.map { "\($0.target) \($0.status)" }
            + reducer.checks.map { "\($0.target.name) \($0.lane) \($0.standing) \($0.isStale)" }
    }
}

/// Two worlds in which the same happens: one does everything at once, the other in slices of one check.
private struct Pair {
    static let names = ["a", "b", "c", "d", "e"]
    var atOnce: Simulation
    var sliced: Simulation

    init(perInterface: Bool, perFamily: Bool) throws {
        atOnce = try Simulation(targets: Self.names, fall: 2, perInterface: perInterface, perFamily: perFamily)
        atOnce.address = { IPAddress($0 == "a" ? "127.0.0.1" : "203.0.113.1") }
        sliced = atOnce
        sliced.reducer.slicing = Slicing(mostAtOnce: 0, slice: 1)
    }

    /// One random thing that can happen.
    mutating func step(using random: inout SplitMix64) {
        switch Int.random(in: 0..<12, using: &random) {
        case 0: both { $0.path(.gone) }
        case 1: both { $0.path(.by("eth0", spares: ["eth1"])) }
        case 2: both { $0.path(.by("eth1", ipv6: true, spares: ["eth0"])) }
        case 3: both { $0.send(.request) }
        case 4:
            let duration = Duration.milliseconds(Int.random(in: 1...300, using: &random) * 1_013)
            both { $0.advance(duration) }
        case 5: configure(Self.names.filter { _ in Int.random(in: 0..<3, using: &random) > 0 })
        default:
            let isDead = Int.random(in: 0..<3, using: &random) == 0
            for name in Self.names {
                let isFailure = isDead || Int.random(in: 0..<4, using: &random) == 0
                both { $0.endAll(of: name, isFailure ? .failure : .success) }
            }
        }
        both { $0.advance(.milliseconds(5_717)) }
    }

    private mutating func configure(_ names: [String]) {
        let targets = names.compactMap { try? Target("http://\($0).test/", name: $0) }
        both { world in
            var new = world.reducer.configuration
            new.targets = targets
            world.send(.configuration(new))
        }
    }

    /// Does something in both, and all that is then left to do; as much time passes in either.
    private mutating func both(_ something: (inout Simulation) -> Void) {
        something(&atOnce)
        something(&sliced)
        for _ in 0..<1000 where sliced.isBehind {
            sliced.now += 1_000_000
            sliced.send(.timer)
        }
        sliced.now = max(sliced.now, atOnce.now) + 1_000_000
        atOnce.now = sliced.now
        atOnce.send(.timer)
        sliced.send(.timer)
    }
}

extension Simulation {
    fileprivate var isBehind: Bool {
        reducer.unsettled != nil || !reducer.waiting.isEmpty || reducer.isExpiring(at: instant)
    }

    /// Ends a target's probes, those of one lane after those of another.
    fileprivate mutating func endAll(of target: String, _ outcome: ProbeResult.Outcome) {
        let own = open.filter { $0.target.name == target }
            .sorted {
                ("\($0.interface ?? "")\($0.family?.rawValue ?? "")")
                    < ("\($1.interface ?? "")\($1.family?.rawValue ?? "")")
            }
        for probe in own where open.contains(where: { $0.id == probe.id }) { end(probe, outcome) }
    }
}
