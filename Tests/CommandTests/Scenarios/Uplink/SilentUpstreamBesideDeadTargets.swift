import Testing

extension Scenarios {
    @Test("targets that were down are not known any more once the upstream is dead")
    func silentUpstreamBesideDeadTargets() async throws {
        let world = try ScenarioWorld()
        try world.silence(ScenarioWorld.address(1), ScenarioWorld.address(4))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t4"], words: "answered"),
            or: Told.Verdict("unknown"), events: 2...3, within: 8)
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.ends()
    }
}
