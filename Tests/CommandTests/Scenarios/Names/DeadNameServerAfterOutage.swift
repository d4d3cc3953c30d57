import Testing

extension Scenarios {
    @Test("a name server that falls silent soon after an outage is told as soon as ever")
    func deadNameServerAfterOutage() async throws {
        let world = try ScenarioWorld()
        let named = ScenarioWorld.Target.numbers(1...2, haveNames: true)
        let story = try world.watch(named + ScenarioWorld.Target.numbers(3...3))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink"), within: 8, quiet: 5)
        try await story.when("it is back") { try world.restoreUpstream() }.tells(.full, within: 8)
        try await story.when("the name server falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "the name was not resolved"),
                within: 10)
        try await story.ends()
    }
}
