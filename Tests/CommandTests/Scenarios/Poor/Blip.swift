import Testing

extension Scenarios {
    @Test("an upstream that is gone for a second is not told")
    func blip() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream is gone for 1 s") {
            try world.cutUpstream()
            try await Task.sleep(for: .milliseconds(1_000))
            try world.restoreUpstream()
        }.tellsNothing(for: 5)
        try await story.ends()
    }
}
