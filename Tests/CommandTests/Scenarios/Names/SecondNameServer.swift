import Testing

extension Scenarios {
    @Test("a second name server takes over, and nothing is told")
    func secondNameServer() async throws {
        let world = try ScenarioWorld()
        try world.useNameServers(ScenarioWorld.distantNames, ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true), timeout: 3)
        try await story.isWell()
        try await story.when("the first name server falls silent") {
            try world.setNames(.silent, of: ScenarioWorld.distantNames)
        }.tellsNothing(for: 12)
        try await story.ends()
    }
}
