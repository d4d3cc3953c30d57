import EventLoop
import Reachability
import Testing

@testable import Connectivity

@Suite("Time that nobody watched")
struct StalenessTests {
    /// An interval of 10 s, results of which hold for two intervals and a time-out.
    private func world(_ targets: [String] = ["a"]) throws -> Simulation {
        var world = try Simulation(targets: targets, interval: .seconds(10))
        world.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        return world
    }

    @Test("results hold while anybody looks")
    func watched() throws {
        var world = try world()
        world.live(.seconds(600)) { _ in .success }
        #expect(world.events.map(\.connectivity) == [.unknown, .full])
    }

    @Test("is unknown from two intervals on, told with how long it was, and known again with the next result")
    func unwatched() throws {
        var world = try world()
        world.now += 23_000_000_001
        world.send(.timer)
        #expect(world.status == .unknown)
        #expect(world.events.last?.cause.fields["unwatched"] != nil)
        #expect(world.events.last?.targets.first?.status == .unknown)
        world.endAll(.success)
        #expect(world.status == .full)
        #expect(world.events.map(\.seq) == Array(1...4))
    }

    @Test("is no gap just before that")
    func justInTime() throws {
        var world = try world()
        world.advanceToWake()
        world.now += 9_000_000_000
        world.send(.timer)
        #expect(world.status == .full)
    }

    @Test("shows as a gap also where a result is the first to come after it")
    func resultFirst() throws {
        var world = try world()
        world.advance(.seconds(10))
        world.now += 600_000_000_000
        world.end("a", .success)
        #expect(world.status == .unknown)
        world.live(.seconds(1)) { _ in .success }
        #expect(world.status == .full)
        #expect(world.events.map(\.to.connectivity) == [.unknown, .full, .unknown, .full])
    }

    @Test("makes an uplink that was dead unknown, and everybody on it is asked")
    func deadUplink() throws {
        var world = try Simulation(targets: (0..<8).map { "t\($0)" }, interval: .seconds(10))
        world.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        world.live(.seconds(60)) { _ in .failure }
        #expect(world.status == .local)
        world.now += 600_000_000_000
        world.send(.timer)
        #expect(world.status == .unknown)
        world.live(.seconds(5)) { _ in .success }
        #expect(world.status == .full)
    }

    @Test("of one target among many leaves that one unknown, not as it was")
    func oneTarget() throws {
        var world = try world(["a", "b"])
        // The probe of one hangs, whatever its time-out says, while the other goes on.
        for _ in 0..<60 {
            world.advance(.seconds(1))
            world.end("a", .success)
        }
        #expect(world.reducer.health.map(\.status) == [.up, .unknown])
        let targets = world.events.last?.targets ?? []
        #expect(targets.map(\.target) == ["b"] && targets.map(\.status) == [.unknown])
    }

    @Test("is a sleep of the host too: all is unknown at once, however short it was")
    func sleep() throws {
        var world = try world()
        world.path(.by("eth0"), cause: .resume)
        #expect(world.status == .unknown)
        #expect(world.open.count == 1)
        world.endAll(.success)
        #expect(world.status == .full)
    }

    @Test("is not what a step of the wall clock makes of it")
    func clockStep() throws {
        var world = try world()
        let output = world.reducer.reduce(
            .timer, at: Instant(monotonic: MonotonicTime(nanoseconds: world.now + 1_000_000), wall: 0))
        #expect(output.event == nil)
        #expect(
            world.reducer.snapshot(at: Instant(monotonic: MonotonicTime(nanoseconds: world.now), wall: 0)).connectivity
                == .full)
    }
}
