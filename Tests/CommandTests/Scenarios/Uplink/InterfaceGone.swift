import TestSupport
import Testing

extension Scenarios {
    @Test("an interface that is gone is told at once, as the path's fault")
    func interfaceGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the interface is gone") { try world.host.ip("link delete eth0") }
            .tells(
                Told.Verdict("none", blame: "path", down: [], words: "there is no path"),
                events: 1...2, within: 0.5)
        try await story.ends()
    }
}
