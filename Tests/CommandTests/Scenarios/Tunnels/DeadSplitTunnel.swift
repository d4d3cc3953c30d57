import TestSupport
import Testing

extension Scenarios {
    @Test(
        "a split tunnel that dies is the fault of the path, and what is beside it stays up",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadSplitTunnel() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchBesideSplitTunnel()
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("limited", blame: "path", down: []), within: 6)
        try await story.when("it is back") { try world.unsilence("203.0.113.1") }.tells(.full, within: 7)
        try await story.ends()
    }
}
