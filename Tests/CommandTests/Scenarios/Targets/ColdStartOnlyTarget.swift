import Testing

extension Scenarios {
    @Test("at the start, too, the only target is at fault where others answer")
    func coldStartOnlyTarget() async throws {
        let world = try ScenarioWorld()
        try world.silence(ScenarioWorld.address(1))
        let story = try world.watch([.number(1)])
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1"], words: "answered"), or: Told.Verdict("unknown"),
            events: 2...2, within: 7)
        try await story.ends()
    }
}
