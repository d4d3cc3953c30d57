import Testing

extension Scenarios {
    @Test("a gateway that is gone without the carrier is the uplink's fault")
    func deadGateway() async throws {
        let world = try ScenarioWorld(.hub)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the gateway is gone") { try world.removeRouter() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), events: 1...2, within: 6)
        try await story.ends()
    }
}
