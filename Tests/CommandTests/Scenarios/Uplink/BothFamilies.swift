import Testing

extension Scenarios {
    @Test("an upstream that is dead for both families is the uplink's fault")
    func bothFamilies() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        let six = (1...2).map { ScenarioWorld.Target("six\($0)", "http://[fd99::\($0)]/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + six)
        try await story.isWell()
        try await story.when("the upstream falls silent for both families") {
            try world.cutUpstream()
            try world.cutUpstream6()
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 6)
        try await story.when("it is back for both") {
            try world.restoreUpstream()
            try world.restoreUpstream6()
        }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
