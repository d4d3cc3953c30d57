import Testing

extension Scenarios {
    @Test("at the start, too, seventeen silent targets of twenty are seventeen targets")
    func coldStartSeventeenOfTwenty() async throws {
        let world = try ScenarioWorld()
        try world.silence((1...17).map(ScenarioWorld.address))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...17).map { "t\($0)" }), words: "answered"),
            or: Told.Verdict("unknown"), events: 2...4, within: 12)
        try await story.ends()
    }
}
