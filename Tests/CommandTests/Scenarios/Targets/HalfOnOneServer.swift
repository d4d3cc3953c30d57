import Testing

extension Scenarios {
    @Test("half of the targets on one dead server are told together")
    func halfOnOneServer() async throws {
        let world = try ScenarioWorld()
        let shared = (1...5).map { ScenarioWorld.Target("s\($0)", "http://\(ScenarioWorld.address(30))/\($0)") }
        let story = try world.watch(shared + ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the server of five targets falls silent") {
            try world.silence(ScenarioWorld.address(30))
        }.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...5).map { "s\($0)" }), words: "answered"), within: 8)
        try await story.ends()
    }
}
