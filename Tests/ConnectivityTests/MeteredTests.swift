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

    private func probes(_ world: Simulation, by interface: String? = nil) -> Int {
        world.started.count { interface == nil || $0.probe.interface == interface }
    }

    @Test("what is well is probed ten times as seldom, and stays known all the while")
    func seldom() throws {
        var world = try world()
        world.path(.by("wwan0", medium: .wwan), cause: .start)
        world.live(.seconds(995)) { _ in .success }
        #expect(probes(world) == 10)
        #expect(world.events.allSatisfy { $0.connectivity == .full || $0.kind == .snapshot })
    }

    @Test("what fails is asked as often as elsewhere")
    func failing() throws {
        var world = try world()
        world.path(.by("wwan0", medium: .wwan), cause: .start)
        world.live(.seconds(95)) { _ in .failure }
        #expect(probes(world) >= 11)
    }

    @Test("the other interfaces are probed as ever, by a route that moves or beside it")
    func others() throws {
        var world = try world(perInterface: true)
        world.path(.by("eth0", spares: ["wwan0"]), cause: .start)
        world.live(.seconds(995)) { _ in .success }
        #expect(probes(world, by: "eth0") == 100)
        #expect(probes(world, by: "wwan0") == 10)

        var moving = try self.world()
        moving.path(.by("wwan0", medium: .wwan), cause: .start)
        moving.live(.seconds(50)) { _ in .success }
        moving.path(.by("eth0"))
        moving.live(.seconds(95)) { _ in .success }
        #expect(probes(moving) == 11)
    }
}
