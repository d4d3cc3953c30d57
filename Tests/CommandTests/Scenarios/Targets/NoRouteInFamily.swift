import Testing

extension Scenarios {
    @Test("a target of a family that has no route is down by the path's fault, and holds nothing else up")
    func noRouteInFamily() async throws {
        let world = try ScenarioWorld()
        let six = ScenarioWorld.Target("six", "http://[2001:db8:99::1]/")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + [six])
        try await story.tells(
            Told.Verdict("limited", blame: "path", down: ["six"]), or: Told.Verdict("unknown"), events: 2...2,
            within: 3)
        try await story.ends()
    }
}
