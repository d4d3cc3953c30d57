import Testing

extension Scenarios {
    @Test("the only target is at fault where others can be asked that are none")
    func onlyTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch([.number(1)])
        try await story.isWell()
        try await story.when("the only target falls silent") { try world.silence(ScenarioWorld.address(1)) }
            .tells(Told.Verdict("limited", blame: "target", down: ["t1"], words: "answered"), within: 7)
        try await story.when("it is back") { try world.unsilence(ScenarioWorld.address(1)) }.tells(.full, within: 5)
        try await story.ends()
    }
}
