import Testing

extension Scenarios {
    @Test("a cable that is pulled ten times stays out after the fourth, until it has come to rest")
    func flappingPath() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the cable is pulled and plugged in ten times in 10 s") {
            for _ in 0..<10 {
                try world.unplug()
                try await Task.sleep(for: .milliseconds(500))
                try world.plug()
                try await Task.sleep(for: .milliseconds(500))
            }
        }
        .tells(.full, or: Told.Verdict("none", blame: "path"), Told.Verdict("unknown"), events: 1...16, within: 30)
        try await story.ends()
    }
}
