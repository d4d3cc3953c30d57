import Testing

extension Scenarios {
    @Test("answers that take ten times as long bring nobody down")
    func tenTimesSlower() async throws {
        let world = try ScenarioWorld(.wire)
        try world.setWire("delay 0.02")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), timeout: 3)
        try await story.isWell()
        try await story.when("each packet takes 0.2 s in place of 0.02 s") { try world.setWire("delay 0.2") }
            .tellsNothing(for: 9)
        try await story.ends()
    }
}
