import Testing

extension Scenarios {
    @Test("a wire that loses long packets is told of the target that sends such")
    func shortPackets() async throws {
        let world = try ScenarioWorld(.wire)
        try world.set(.long, of: ScenarioWorld.address(2))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("packets longer than 1000 bytes are lost") { try world.setWire("limit 1000") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t2"], words: "answered"), within: 9)
        try await story.ends()
    }
}
