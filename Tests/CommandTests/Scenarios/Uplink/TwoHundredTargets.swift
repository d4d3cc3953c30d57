import Testing

extension Scenarios {
    @Test("two hundred targets behind a dead uplink are one event")
    func twoHundredTargets() async throws {
        let world = try ScenarioWorld()
        let targets = (0..<200).map {
            ScenarioWorld.Target("t\($0)", "http://\(ScenarioWorld.address(1 + $0 % 40))/\($0)")
        }
        let story = try world.watch(targets, interval: 5)
        try await story.isWell(for: 5)
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }
            .tells(.full, events: 1...2, within: 5.5)
        try await story.ends()
    }
}
