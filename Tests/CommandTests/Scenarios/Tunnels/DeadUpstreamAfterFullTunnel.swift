import TestSupport
import Testing

extension Scenarios {
    @Test(
        "an upstream that dies under a dead tunnel is at fault from then on, and the tunnel again once it is back",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamAfterFullTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("local", blame: "path", down: []), within: 6)
        try await story.when("the upstream dies, too") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 12)
        try await story.when("the upstream is back") { try world.restoreUpstream() }
            .tells(Told.Verdict("local", blame: "path", down: []), within: 14)
        try await story.ends()
    }
}
