import Testing

extension Scenarios {
    @Test("a quorum of two is not met by the first that answers")
    func quorumOfTwo() async throws {
        let world = try ScenarioWorld()
        try world.set(.reset, of: ScenarioWorld.address(1), ScenarioWorld.address(2), ScenarioWorld.address(3))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...4), #""policy": {"quorum": 2}"#)
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t2", "t3"]), or: Told.Verdict("unknown"),
            events: 2...2, within: 5)
        try await story.ends()
    }
}
