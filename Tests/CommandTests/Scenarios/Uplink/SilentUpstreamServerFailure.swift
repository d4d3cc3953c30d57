import Testing

extension Scenarios {
    @Test("a router that answers SERVFAIL because its line is dead does not make it the name server's fault")
    func silentUpstreamServerFailure() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the line dies, and the router answers SERVFAIL") {
            try world.cutUpstream()
            try world.setNames(.servfail)
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), within: 5)
        try await story.when("the line is back") {
            try world.restoreUpstream()
            try world.setNames(.well)
        }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
