import Testing

extension Scenarios {
    @Test("where all targets are silent and others answer, it is the targets")
    func allTargets() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("all five fall silent") { try world.silence((1...5).map(ScenarioWorld.address)) }
            .tells(
                Told.Verdict("limited", blame: "target", down: Set((1...5).map { "t\($0)" }), words: "answered"),
                events: 1...3, within: 10)
        try await story.ends()
    }
}
