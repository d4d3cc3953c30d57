import Testing

extension Scenarios {
    @Test("a name server that denies all names is at fault where one family is dead, too")
    func noSuchNamesBesideDeadFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        try world.cutUpstream6()
        try world.setNames(.nxdomain)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", words: "nor others"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6, quiet: 6)
        try await story.ends()
    }
}
