import Testing

extension Scenarios {
    @Test("a silent upstream is the uplink's fault, told once for all targets, and so is its return")
    func silentUpstream() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
