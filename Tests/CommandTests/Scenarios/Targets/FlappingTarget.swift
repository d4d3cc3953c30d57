import Testing

extension Scenarios {
    @Test("a target that comes and goes is told as flapping, and in few events")
    func flappingTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3), interval: 1)
        try await story.isWell()
        try await story.when("one target answers 500 for 2 s of each 3.5 s, six times") {
            for _ in 0..<6 {
                try world.set(.status(500), of: ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(2_000))
                try world.set(.well, of: ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(1_500))
            }
        }.tells(.full, or: Told.Verdict("limited", blame: "target", down: ["t2"]), events: 0...8, within: 45, quiet: 1)
        try await story.ends()
    }
}
