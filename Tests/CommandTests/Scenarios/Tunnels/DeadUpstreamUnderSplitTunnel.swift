import TestSupport
import Testing

extension Scenarios {
    @Test(
        "an upstream that dies under a split tunnel is at fault for both",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamUnderSplitTunnel() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchBesideSplitTunnel()
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.ends()
    }
}
