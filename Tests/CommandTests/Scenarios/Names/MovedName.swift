import Testing

extension Scenarios {
    @Test("a server that moves is followed by its name, and nothing is told")
    func movedName() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("a name leads elsewhere, and its old server is silent") {
            try world.move("t2.test", to: ScenarioWorld.address(22))
            try world.silence(ScenarioWorld.address(2))
        }.tellsNothing(for: 8)
        try await story.ends()
    }
}
