import Testing

extension Scenarios {
    @Test("half of all packets lost is a lossy uplink, and nobody is down for it")
    func halfLost() async throws {
        let world = try ScenarioWorld(.wire)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 1, timeout: 3)
        try await story.isWell()
        try await story.when("half of all packets are lost") { try world.setWire("loss 0.5") }
            .tells(
                Told.Verdict("limited", blame: "uplink", reason: "lossy", down: []),
                or: Told.Verdict("limited", blame: "uplink", reason: "slow"), Told.Verdict("local", blame: "uplink"),
                events: 1...6, within: 40, quiet: 8)
        try await story.ends()
    }
}
