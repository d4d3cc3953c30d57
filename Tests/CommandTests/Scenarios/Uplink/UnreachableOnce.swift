#if Service
import Testing

extension Scenarios {
    @Test("a router that says once that a target is unreachable changes nothing")
    func unreachableOnce() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 1)
        try await story.isWell()
        try await story.when("one target is unreachable for 1.1 s") {
            try world.makeUnreachable(ScenarioWorld.address(2))
            try await Task.sleep(for: .milliseconds(1_100))
            try world.makeReachable(ScenarioWorld.address(2))
        }.tellsNothing(for: 4)
        try await story.ends()
    }
}
#endif
