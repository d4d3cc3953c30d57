import Testing

extension Scenarios {
    @Test("a name that leads to no host at all, as lists of what is blocked have it, is the name server's fault")
    func blockedName() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("one name is 0.0.0.0") { try world.move("t3.test", to: "0.0.0.0") }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "dns-hijack", down: ["t3"]), within: 8)
        try await story.when("it has its address again") { try world.move("t3.test", to: ScenarioWorld.address(3)) }
            .tells(.full, within: 5)
        try await story.ends()
    }
}
