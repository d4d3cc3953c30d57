import Testing

extension Scenarios {
    @Test("a name server that takes a second changes nothing")
    func slowNameServer() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true), timeout: 3)
        try await story.isWell()
        try await story.when("the name server takes 1.2 s") { try world.setNames(.slow(seconds: 1.2)) }
            .tellsNothing(for: 8)
        try await story.ends()
    }
}
