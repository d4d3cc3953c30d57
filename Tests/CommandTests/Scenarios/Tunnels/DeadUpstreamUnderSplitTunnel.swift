#if Service
import TestSupport
import Testing

extension Scenarios {
    @Test(
        "an upstream that dies under a split tunnel is at fault for both",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamUnderSplitTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 198.18.0.0/24 dev tun0")
        let inside = (1...2).map { ScenarioWorld.Target("in\($0)", "http://198.18.0.\($0)/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + inside)
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.ends()
    }
}
#endif
