#if Service
import Testing

extension Scenarios {
    @Test("a program that has no descriptors for its probes blames itself, and none of its targets")
    func noDescriptors() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), by: "ulimit -n 30")
        try await story.tells(
            Told.Verdict("unknown", blame: "self", reason: "overloaded", down: []), or: Told.Verdict("unknown"),
            Told.Verdict("limited", blame: "self"), events: 2...3, within: 4)
        try await story.ends()
    }
}
#endif
