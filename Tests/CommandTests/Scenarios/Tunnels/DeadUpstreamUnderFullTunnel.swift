import TestSupport
import Testing

extension Scenarios {
    @Test(
        "an upstream that dies under a tunnel to everything is at fault, and not the tunnel",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamUnderFullTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.ends()
    }
}
