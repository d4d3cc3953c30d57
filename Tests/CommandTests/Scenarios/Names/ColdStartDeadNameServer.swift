import Testing

extension Scenarios {
    @Test("at the start, too, a silent name server is the name server's fault")
    func coldStartDeadNameServer() async throws {
        let world = try ScenarioWorld()
        try world.setNames(.silent)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"),
            or: Told.Verdict("unknown"), events: 2...2, within: 8)
        try await story.ends()
    }
}
