import Testing

extension Scenarios {
    @Test("at the start a silent upstream is the uplink's fault")
    func coldStartSilentUpstream() async throws {
        let world = try ScenarioWorld()
        try world.cutUpstream()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6)
        try await story.ends()
    }
}
