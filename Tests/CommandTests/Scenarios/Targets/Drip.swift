#if Service
import Testing

extension Scenarios {
    @Test("a target that sends a byte at a time, without an end, is down, at its own fault")
    func dripTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("one target: it sends a byte each 0.1 s, without an end") {
            try world.set(.drip, of: ScenarioWorld.address(2))
        }.tells(Told.Verdict("limited", blame: "target", down: ["t2"], words: "answered"), within: 8)
        try await story.when("it is well again") {
            try world.set(.well, of: ScenarioWorld.address(2))
        }.tells(.full, within: 5)
        try await story.ends()
    }
}
#endif
