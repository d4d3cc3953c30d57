import EventLoop
import Reachability
import Testing

@testable import Connectivity

@Suite("A target's own pace")
struct TargetPaceTests {
    /// Targets a and b, without jitter, after `change` and their first success.
    private func world(
        fall: Int = 2, interval: Duration = .seconds(10), _ change: (inout Target) -> Void
    ) throws -> Simulation {
        var a = try Target("http://a.test/", name: "a")
        change(&a)
        var configuration = ConnectivityConfiguration(targets: [a, try Target("http://b.test/", name: "b")])
        configuration.jitter = 0
        configuration.fall = fall
        configuration.interval = interval
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        return world
    }

    private func count(_ name: String, in world: Simulation) -> Int {
        world.started.count { $0.probe.target.name == name }
    }

    @Test("an interval of 1 s has it probed ten times as often as the other with 10 s")
    func interval() throws {
        var world = try world { $0.interval = .seconds(1) }
        world.live(.seconds(100)) { _ in .success }
        #expect((98...101).contains(count("a", in: world)))
        #expect((10...11).contains(count("b", in: world)))
        #expect(world.status == .full)
    }

    @Test("a longer interval than the others' makes no result too old before its own time")
    func staleness() throws {
        var world = try world(interval: .seconds(1)) { $0.interval = .seconds(100) }
        world.live(.seconds(1000)) { _ in .success }
        #expect((10...11).contains(count("a", in: world)))
        #expect(world.status == .full)
        #expect(!world.events.contains { $0.cause.fields["late"] != nil || $0.cause.fields["unwatched"] != nil })
    }

    @Test("a shorter interval than the others' makes a result too old sooner")
    func ownStaleness() throws {
        var world = try world(interval: .seconds(100)) { $0.interval = .seconds(1) }
        // The probe of one hangs, whatever its time-out says.
        world.advance(.seconds(20))
        #expect(world.reducer.health.map(\.status) == [.unknown, .up])
    }

    @Test("a wait after failures comes to no more than the own interval")
    func backoff() throws {
        var world = try world { $0.interval = .seconds(3) }
        world.live(.seconds(60)) { $0.target.name == "a" ? .failure : .success }
        let times = world.started.filter { $0.probe.target.name == "a" }.map(\.time)
        let waits = zip(times.dropFirst(), times).map { $0 - $1 }
        #expect(waits.allSatisfy { $0 <= 3_010_000_000 })
    }

    @Test("a jitter keeps within its own part of the wait")
    func jitter() throws {
        var world = try world {
            $0.interval = .seconds(20)
            $0.jitter = 0.5
        }
        world.live(.seconds(2000)) { _ in .success }
        func waits(_ name: String) -> [UInt64] {
            let times = world.started.filter { $0.probe.target.name == name }.map(\.time)
            return zip(times.dropFirst(), times).map { $0 - $1 }.dropFirst().map(\.self)
        }
        #expect(waits("a").allSatisfy { (10_000_000_000...30_010_000_000).contains($0) })
        #expect(Set(waits("a").map { $0 / 1_000_000_000 }).count > 8)
        #expect(waits("b").allSatisfy { (10_000_000_000...10_010_000_000).contains($0) })
    }

    @Test("retries have it down after one more failure than these, and the other after the configuration's number")
    func retries() throws {
        func failures(_ name: String) throws -> Int {
            var world = try world(fall: 2) { $0.retries = 4 }
            var failures = 0
            while world.reducer.health.first(where: { $0.target == name })?.status != .down, failures < 20 {
                world.advanceToWake()
                for probe in world.open {
                    // An answer of another server's counts at once, and needs no witness.
                    if probe.target.name == name { failures += 1 }
                    world.end(probe, probe.target.name == name ? .failure : .success, status: 500)
                }
            }
            return failures
        }
        #expect(try failures("a") == 5)
        #expect(try failures("b") == 2)
    }

    @Test("without retries a first failure is enough, and a target alone falls by its own number too")
    func alone() throws {
        for retries in [0, 2] {
            var target = try Target("http://a.test/", name: "a")
            target.retries = retries
            var configuration = ConnectivityConfiguration(targets: [target])
            configuration.jitter = 0
            var world = Simulation(configuration)
            world.path(.by("eth0"), cause: .start)
            world.endAll(.success)
            var failures = 0
            while world.status == .full, failures < 20 {
                guard let probe = world.open.first else {
                    world.advanceToWake()
                    continue
                }
                world.end(probe, .failure)
                failures += 1
                world.advance(.seconds(2))
            }
            #expect(failures == retries + 1)
        }
    }
}
