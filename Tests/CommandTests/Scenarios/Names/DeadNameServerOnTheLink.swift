import Testing

extension Scenarios {
    @Test("a name server on the link that falls silent is the name server's fault")
    func deadNameServerOnTheLink() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the name server on the router falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"), within: 8)
        try await story.ends()
    }
}
