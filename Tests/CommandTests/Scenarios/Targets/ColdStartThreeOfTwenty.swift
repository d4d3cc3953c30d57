import Testing

extension Scenarios {
    @Test("at the start, too, three silent targets of twenty are three targets")
    func coldStartThreeOfTwenty() async throws {
        let world = try ScenarioWorld()
        try world.silence((1...3).map(ScenarioWorld.address))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"], words: "answered"),
            or: Told.Verdict("unknown"), events: 2...3, within: 8)
        try await story.ends()
    }
}
