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
        #expect(world.events.dropFirst(events).map(\.connectivity) == [.full])
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
}
