import Testing

extension Scenarios {
    @Test("a radio that takes two seconds to wake brings nobody down")
    func wakingRadio() async throws {
        let world = try ScenarioWorld(.wire)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...2), interval: 7, timeout: 3)
        try await story.isWell()
        try await story.when("after 5 s without a packet the next takes 1.8 s") { try world.setWire("sleep 1.8") }
            .tellsNothing(for: 16)
        try await story.ends()
    }
}
