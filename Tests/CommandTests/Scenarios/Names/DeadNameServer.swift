import Testing

extension Scenarios {
    @Test("a name server that falls silent behind the router is the name server's fault")
    func deadNameServer() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the name server falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "the name was not resolved"),
                within: 8)
        try await story.when("it answers again") { try world.setNames(.well) }.tells(.full, events: 1...2, within: 6)
        try await story.ends()
    }
}
