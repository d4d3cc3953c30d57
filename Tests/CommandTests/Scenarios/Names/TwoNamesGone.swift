import Testing

extension Scenarios {
    @Test("two names of five that are not found are the name server's fault, and told in no other word before")
    func twoNamesGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for two names") {
            try world.setNames(.nxdomain, of: "t1.test")
            try world.setNames(.nxdomain, of: "t2.test")
        }.tells(Told.Verdict("limited", blame: "resolver", down: ["t1", "t2"]), events: 1...2, within: 8)
        try await story.ends()
    }
}
