import Testing

extension Scenarios {
    @Test("a program with few descriptors finds all targets well")
    func fewDescriptors() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...40), by: "ulimit -n 64")
        try await story.isWell()
        try await story.when("there are 64 descriptors for 40 targets") {}.tellsNothing(for: 6)
        try await story.ends()
    }
}
