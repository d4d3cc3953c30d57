import Testing

extension Scenarios {
    @Test("whose fault the silence of the only target is cannot be told where nobody else may be asked")
    func onlyTargetAlone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch([.number(1)], #""defaultProbes": false"#)
        try await story.isWell()
        try await story.when("the only target falls silent") { try world.silence(ScenarioWorld.address(1)) }
            .tells(Told.Verdict("local", blame: "unknown", down: [], words: "it alone is asked"), within: 8)
        try await story.when("it is back") { try world.unsilence(ScenarioWorld.address(1)) }.tells(.full, within: 7)
        try await story.ends()
    }
}
