import Testing

extension Scenarios {
    @Test("a target of which a router says that it is unreachable is down, in that word")
    func unreachableTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the router says that one is unreachable") {
            try world.makeUnreachable(ScenarioWorld.address(2))
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "unreachable", down: ["t2"], words: "answered"), within: 8)
        try await story.ends()
    }
}
