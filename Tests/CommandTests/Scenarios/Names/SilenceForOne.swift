import Testing

extension Scenarios {
    @Test("no answer for one name of five is that name's target's fault, as where the domain's own servers are dead")
    func silenceForOne() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("no answer for one name") { try world.setNames(.silent, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 12)
        try await story.ends()
    }
}
