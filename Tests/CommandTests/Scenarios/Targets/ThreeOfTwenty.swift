import Testing

extension Scenarios {
    @Test("three silent targets of twenty are three targets, not the uplink")
    func threeOfTwenty() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.isWell()
        try await story.when("the first three fall silent") {
            try world.silence((1...3).map(ScenarioWorld.address))
        }.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"], words: "answered"), events: 1...2,
            within: 8)
        try await story.ends()
    }
}
