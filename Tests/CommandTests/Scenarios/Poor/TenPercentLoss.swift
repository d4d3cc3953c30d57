import Testing

extension Scenarios {
    @Test("one packet of ten lost brings nobody down")
    func tenPercentLoss() async throws {
        let world = try ScenarioWorld(.wire)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 1, timeout: 3)
        try await story.isWell()
        try await story.when("10 % of all packets are lost") { try world.setWire("loss 0.1") }
            .tellsOnly(Told.Verdict("limited", blame: "uplink", reason: "lossy", down: []), atMost: 1, for: 15)
        try await story.ends()
    }
}
