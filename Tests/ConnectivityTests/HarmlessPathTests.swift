import EventLoop
import Reachability
import Testing

@testable import Connectivity

/// Changes of the path that come faster than what an earlier one means for a thousand checks is found out.
@Suite("Paths that mean nothing for any check")
struct HarmlessPathTests {
    private static let count = 1000

    @Test("do not have what is under way begun anew")
    func others() throws {
        var configuration = ConnectivityConfiguration(
            targets: try (0..<Self.count).map { try Target("http://t\($0).test/", name: "t\($0)") })
        configuration.interval = .seconds(10)
        var world = Simulation(configuration)
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(12)) { _ in .success }
        #expect(world.status == .full)
        world.path(.by("eth1"))
        let started = world.started.count
        for number in 1...200 {
            world.now += 1_000_000
            var path = Path.by("eth1", spares: ["dummy\(number)"])
            path.interfaces[1].ipv4 = InterfaceUsability(isUsable: false, reason: .noRoute)
            world.path(path)
        }
        // None was asked twice, and those that were under way still are.
        let asked = world.started.dropFirst(started).map(\.probe.target.name)
        #expect(Set(asked).count == asked.count)
        #expect(!world.open.isEmpty)
    }
}
