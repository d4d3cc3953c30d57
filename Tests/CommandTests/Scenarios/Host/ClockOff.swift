import Testing

extension Scenarios {
    @Test("certificates of several hosts that are not valid yet are the fault of the clock")
    func clockOff() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...3, plainly: 4...5)
        try await story.isWell()
        try await story.when("the certificates of three are of next year") { try world.certify(1...3, .notYetValid) }
            .tells(Told.Verdict("limited", blame: "self", reason: "clock", down: []), within: 6)
        try await story.when("they are of this year") { try world.certify(1...3, .valid) }.tells(.full, within: 8)
        try await story.ends()
    }
}
