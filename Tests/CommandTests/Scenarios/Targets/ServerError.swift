import Testing

extension Scenarios {
    @Test("a target that answers 500 is down, at its own fault")
    func serverErrorTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("one target: it answers 500") {
            try world.set(.status(500), of: ScenarioWorld.address(2))
        }.tells(Told.Verdict("limited", blame: "target", down: ["t2"], words: "answered"), within: 8)
        try await story.when("it is well again") {
            try world.set(.well, of: ScenarioWorld.address(2))
        }.tells(.full, within: 5)
        try await story.ends()
    }
}
