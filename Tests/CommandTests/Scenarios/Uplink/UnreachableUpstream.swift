import Testing

extension Scenarios {
    @Test("a router that says that all is unreachable is the uplink's fault")
    func unreachableUpstream() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the router says that it reaches nobody") { try world.tellUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), within: 5)
        try await story.ends()
    }
}
