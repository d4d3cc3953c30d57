import Testing

extension Scenarios {
    @Test("a silent upstream with the name server behind it is the uplink's fault, not the name server's")
    func silentUpstreamBesideNames() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
