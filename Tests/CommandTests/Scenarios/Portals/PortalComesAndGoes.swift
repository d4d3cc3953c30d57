import Testing

extension Scenarios {
    @Test("a portal that closes and opens is told as a portal, and its end soon")
    func portalComesAndGoes() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("all are sent to a portal") {
            try world.set(.redirect(to: "http://login.test/"), of: "all")
        }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6)
        try await story.when("a person has signed in") { try world.set(.well, of: "all") }.tells(.full, within: 12)
        try await story.ends()
    }
}
