import Testing

extension Scenarios {
    @Test("an upstream that comes and goes blames no target")
    func flappingUpstream() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream is gone for 3 s of each 6 s, three times") {
            for _ in 0..<3 {
                try world.cutUpstream()
                try await Task.sleep(for: .seconds(3))
                try world.restoreUpstream()
                try await Task.sleep(for: .seconds(3))
            }
        }
        // What comes back late may be told as packets that were lost: so they were.
        .tells(
            .full, or: Told.Verdict("local", blame: "uplink", down: []),
            Told.Verdict("limited", blame: "uplink", down: []), events: 0...6, within: 26)
        try await story.ends()
    }
}
