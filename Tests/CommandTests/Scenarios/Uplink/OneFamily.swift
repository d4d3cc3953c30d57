import Testing

extension Scenarios {
    @Test("a family that is dead beside one that lives is told as such, and no target is down for it")
    func oneFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        let six = (1...2).map { ScenarioWorld.Target("six\($0)", "http://[fd99::\($0)]/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + six)
        try await story.isWell()
        try await story.when("IPv6 dies behind the router") { try world.cutUpstream6() }
            .tells(Told.Verdict("limited", blame: "uplink", reason: "ipv6-failed", down: []), within: 6)
        try await story.ends()
    }
}
