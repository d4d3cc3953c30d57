import EventLoop
import Reachability
import Testing

@testable import Connectivity

@Suite("On a metered interface")
struct MeteredTests {
    private func world(perInterface: Bool = false) throws -> Simulation {
        var configuration = ConnectivityConfiguration(targets: [try Target("http://a.test/", name: "a")])
        configuration.interval = .seconds(10)
        configuration.jitter = 0
        configuration.metered = ["wwan0"]
        configuration.perInterface = perInterface
        return Simulation(configuration)
    }

    /// How many probes were sent before a time, in seconds from the first.
    private func probes(_ world: Simulation, by interface: String? = nil, before seconds: UInt64) -> Int {
        let end = (world.started.first?.time ?? 0) + seconds * 1_000_000_000
        return world.started.count { $0.time < end && (interface == nil || $0.probe.interface == interface) }
    }

    @Test("what is well is probed ten times as seldom, and stays known all the while")
    func seldom() throws {
        var world = try world()
        world.path(.by("wwan0", medium: .wwan), cause: .start)
        world.live(.seconds(995)) { _ in .success }
        #expect(probes(world, before: 995) == 10)
        #expect(world.events.allSatisfy { $0.connectivity == .full || $0.kind == .snapshot || $0.kind == .target })
    }

    @Test("what fails is asked as often as elsewhere")
    func failing() throws {
        var world = try world()
        world.path(.by("wwan0", medium: .wwan), cause: .start)
        world.live(.seconds(95)) { _ in .failure }
        #expect(world.asked.count >= 11)
    }

    @Test("the other interfaces are probed as ever, by a route that moves or beside it")
    func others() throws {
        var world = try world(perInterface: true)
        world.path(.by("eth0", spares: ["wwan0"]), cause: .start)
        world.live(.seconds(995)) { _ in .success }
        #expect(probes(world, by: "eth0", before: 995) == 100)
        #expect(probes(world, by: "wwan0", before: 995) == 10)

        var moving = try self.world()
        moving.path(.by("wwan0", medium: .wwan), cause: .start)
        moving.endAll(.success)
        moving.advance(.seconds(50))
        moving.path(.by("eth0"))
        moving.live(.seconds(95)) { _ in .success }
        #expect(probes(moving, before: 50) == 1)
        #expect(probes(moving, before: 50 + 95) == 11)
    }
}
