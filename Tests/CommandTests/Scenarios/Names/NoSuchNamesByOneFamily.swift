import Testing

extension Scenarios {
    @Test("what no target may use is not told to be dead")
    func noSuchNamesByOneFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        try world.cutUpstream6()
        try world.setNames(.nxdomain)
        let targets = (1...5).map { ScenarioWorld.Target("t\($0)", "http://t\($0).test/", #""family": "ipv4""#) }
        let story = try world.watch(targets)
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", words: "nor others"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6, quiet: 6)
        try await story.ends()
    }
}
