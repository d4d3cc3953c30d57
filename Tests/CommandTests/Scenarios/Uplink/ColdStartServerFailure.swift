import Testing

extension Scenarios {
    @Test("at the start, too, a router that answers SERVFAIL with a dead line is the uplink's fault")
    func coldStartServerFailure() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        try world.cutUpstream()
        try world.setNames(.servfail)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6)
        try await story.ends()
    }
}
