import Testing

extension Scenarios {
    @Test("where only a box on the link answers, the uplink is at fault")
    func deadUpstreamBesideBox() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let story = try world.watch(
            [ScenarioWorld.Target("box", "http://10.0.0.77/")] + ScenarioWorld.Target.numbers(1...3))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(
                Told.Verdict("local", blame: "uplink", down: [], words: "nobody behind the gateway answers"), within: 5)
        try await story.ends()
        withExtendedLifetime(box) {}
    }
}
