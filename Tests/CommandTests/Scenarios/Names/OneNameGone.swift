import Testing

extension Scenarios {
    @Test("a name that does not exist any more is its target's fault")
    func oneNameGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for one name") { try world.setNames(.nxdomain, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 8)
        try await story.ends()
    }
}
