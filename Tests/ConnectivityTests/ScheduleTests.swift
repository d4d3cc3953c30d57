import EventLoop
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
        #expect(world.open.count == 7)
        for _ in 0..<100 {
            #expect(world.open.count <= 7)
            world.end(world.open[0].target.name, .success)
        }
        #expect(Set(world.started.map(\.probe.target.name)).count == 100)
        #expect(world.status == .full)
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
