import TestSupport
import Testing

extension Scenarios {
    @Test("a box on the link that falls silent is at fault, and not the uplink")
    func boxOnTheLink() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let story = try world.watch([ScenarioWorld.Target("box", "http://10.0.0.77/")])
        try await story.isWell()
        try await story.when("the box is gone") { try box.ip("link set far down") }
            .tells(Told.Verdict("limited", blame: "target", down: ["box"], words: "answered"), within: 8)
        try await story.ends()
    }
}
