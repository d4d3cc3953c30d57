import Testing

extension Scenarios {
    @Test("SERVFAIL for one name of five is that name's target's fault")
    func serverFailureForOne() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("SERVFAIL for one name") { try world.setNames(.servfail, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 8)
        try await story.ends()
    }
}
