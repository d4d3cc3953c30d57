import Testing

extension Scenarios {
    @Test("a router that says once that a target is unreachable changes nothing")
    func unreachableOnce() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 1)
        try await story.isWell()
        // Misses count where they are a second apart, so that less than one has one at most. On a machine that is too busy it may
        // be longer, and then it is rightly told.
        for _ in 0..<10 {
            let start = ContinuousClock.now
            let said = try await story.when("one target is unreachable for 0.8 s") {
                try world.makeUnreachable(ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(800))
                try world.makeReachable(ScenarioWorld.address(2))
            }
            guard start.duration(to: .now) > .milliseconds(980) else {
                try await said.tellsNothing(for: 4)
                return try await story.ends()
            }
            try await story.isWell()
        }
        Issue.record("this machine is too busy to do anything for 0.8 s")
        try await story.ends()
    }
}
