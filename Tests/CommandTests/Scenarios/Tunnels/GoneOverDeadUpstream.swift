import TestSupport
import Testing

extension Scenarios {
    @Test(
        "a tunnel that goes leaves the link under it, of which nothing that is watched is known",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func goneOverDeadUpstream() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("it is gone, and the upstream is dead") {
            try world.cutUpstream()
            try world.host.ip("link set tun0 down")
        }.tells(
            Told.Verdict("local", blame: "uplink", down: []), or: Told.Verdict("unknown"), events: 1...2, within: 6)
        try await story.ends()
    }
}
