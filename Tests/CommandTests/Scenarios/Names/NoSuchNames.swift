import Testing

extension Scenarios {
    @Test("a name server that denies all names is at fault, and not the names")
    func noSuchNames() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for all") { try world.setNames(.nxdomain) }
            .tells(Told.Verdict("limited", blame: "resolver", words: "nor others"), within: 7)
        try await story.ends()
    }
}
