import Testing

extension Scenarios {
    @Test("a name server that sends all names to an address where nobody is is at fault, and not the targets")
    func hijackedToNobody() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("all names lead to 10.0.0.77") { try world.setNames(.hijack(to: "10.0.0.77")) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-hijack"), events: 1...2, within: 10, quiet: 6)
        try await story.ends()
    }
}
