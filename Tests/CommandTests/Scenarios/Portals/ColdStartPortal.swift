import Testing

extension Scenarios {
    @Test("a portal that is there from the start is told as a portal")
    func coldStartPortal() async throws {
        let world = try ScenarioWorld()
        try world.set(.redirect(to: "http://login.test/"), of: "all")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("portal", blame: "uplink", down: []), or: Told.Verdict("unknown"), events: 2...2, within: 6)
        try await story.ends()
    }
}
