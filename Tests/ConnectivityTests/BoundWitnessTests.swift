import EventLoop
import Reachability
import Testing

@testable import Connectivity

@Suite("Witnesses of bound targets")
struct BoundWitnessTests {
    /// What is asked and looked up, by which interfaces, while no target answers.
    private func interfaces(_ targets: [(url: String, interface: String?)]) throws -> (
        witness: Set<String?>, names: Set<String?>
    ) {
        var configuration = ConnectivityConfiguration(
            targets: try targets.map { url, interface in
                var target = try Target(url)
                target.interface = interface
                return target
            })
        configuration.interval = .seconds(10)
        var world = Simulation(configuration)
        world.reconfigure { $0.asksWitnesses = true }
        world.path(.by("up1", spares: ["up2"]), cause: .start)
        world.live(.seconds(60)) { _ in .failure }
        let witness = Target.defaults[0].name
        return (
            Set(world.started.filter { $0.probe.target.name == witness }.map(\.probe.interface)),
            Set(world.lookedUp.map(\.interface))
        )
    }

    @Test("where all targets are bound to one interface, the portal's witness and its name are asked by it, too")
    func bound() throws {
        let found = try interfaces([("http://192.0.2.1/", "up2"), ("http://192.0.2.2/", "up2")])
        #expect(found.witness == ["up2"])
        #expect(found.names == ["up2"])
    }

    @Test("where they are not, by the route", arguments: ["up1", nil])
    func others(interface: String?) throws {
        let found = try interfaces([("http://192.0.2.1/", "up2"), ("http://192.0.2.2/", interface)])
        #expect(found.witness == [nil])
        #expect(found.names == [nil])
    }
}
