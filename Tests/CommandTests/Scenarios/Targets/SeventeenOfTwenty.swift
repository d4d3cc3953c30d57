import Testing

extension Scenarios {
    @Test("seventeen silent targets of twenty are seventeen targets, in few events")
    func seventeenOfTwenty() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.isWell()
        try await story.when("all but the last three fall silent") {
            try world.silence((1...17).map(ScenarioWorld.address))
        }.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...17).map { "t\($0)" }), words: "answered"),
            events: 1...3, within: 12)
        try await story.ends()
    }
}
