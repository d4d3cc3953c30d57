import Testing

extension Scenarios {
    @Test("a name server that sends all names to an address of its own is at fault")
    func hijackedNames() async throws {
        let world = try ScenarioWorld()
        let targets = (1...5).map { number in
            ScenarioWorld.Target("t\(number)", "http://t\(number).test/", #""public": true"#)
        }
        let story = try world.watch(targets)
        try await story.isWell()
        try await story.when("all names lead to 10.0.0.1") { try world.setNames(.hijack(to: "10.0.0.1")) }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "dns-hijack"), within: 8)
        try await story.ends()
    }
}
