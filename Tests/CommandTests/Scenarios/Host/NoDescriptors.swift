import Testing

extension Scenarios {
    @Test("a program that has too few descriptors for its probes blames itself, and none of its targets")
    func noDescriptors() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), by: "ulimit -n 28")
        try await story.tellsOnly(
            Told.Verdict("limited", blame: "self", reason: "overloaded", down: []), or: Told.Verdict("unknown"),
            atMost: 4, for: 6)
        try await story.ends()
    }
}
