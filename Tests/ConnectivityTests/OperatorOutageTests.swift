import EventLoop
import Reachability
import Testing

@testable import Connectivity

/// The default endpoints are several operators', none of whose outages is this host's.
@Suite("An operator's outage")
struct OperatorOutageTests {
    private static let operators = ["google", "mozilla", "debian", "cloudflare"]

    private func world() -> Simulation {
        var world = Simulation(ConnectivityConfiguration())
        world.path(.by("eth0"), cause: .start)
        world.endAll(.success)
        return world
    }

    /// The default targets that are not one of these operators' answer.
    private func isDead(_ probe: Probe, _ dead: [String]) -> Bool {
        dead.contains { probe.target.name.hasPrefix($0) }
    }

    @Test(
        "that of any one changes nothing, whether its endpoints are dead, wrong or lie", arguments: operators,
        [ProbeResult.Outcome.failure, .portal])
    func one(name: String, outcome: ProbeResult.Outcome) throws {
        var world = world()
        #expect(world.status == .full)
        world.live(.seconds(3600)) { isDead($0, [name]) ? outcome : .success }
        #expect(world.verdicts.map(\.connectivity) == [.unknown, .full])
    }

    @Test("that of any two is at worst a limit, not an outage", arguments: operators, operators)
    func two(first: String, second: String) throws {
        var world = world()
        // Until a majority has answered it is only told who has.
        #expect(world.verdicts.map(\.connectivity) == [.unknown, .full])
        #expect(world.events.allSatisfy { $0.targets.allSatisfy { $0.status != .down } })
        let start = world.events.count
        world.live(.seconds(3600)) { isDead($0, [first, second]) ? .failure : .success }
        #expect(world.events.dropFirst(start).allSatisfy { $0.connectivity == .full || $0.connectivity == .limited })
        #expect(world.status == .full || first != second)
    }

    @Test("that of any one at the start keeps nobody from being online", arguments: operators)
    func start(name: String) throws {
        var world = Simulation(ConnectivityConfiguration())
        world.path(.by("eth0"), cause: .start)
        world.live(.seconds(60)) { isDead($0, [name]) ? .failure : .success }
        #expect(world.status == .full)
    }
}
