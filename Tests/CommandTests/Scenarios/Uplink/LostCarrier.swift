import Testing

extension Scenarios {
    @Test("a cable that is pulled is told at once, as the path's fault, and so is its return")
    func lostCarrier() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the cable is pulled") { try world.unplug() }
            .tells(Told.Verdict("none", blame: "path", down: [], words: "there is no path"), within: 0.5)
        try await story.when("it is plugged in") { try world.plug() }
            .tells(.full, or: Told.Verdict("unknown"), events: 1...2, within: 2)
        try await story.ends()
    }
}
