import Testing

extension Scenarios {
    @Test("a target whose name is asked by the family that dies is asked by the other one")
    func familyThatNeverWon() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        for number in 1...4 { try world.move("t\(number).test", to: ScenarioWorld.address(number), "fd99::\(number)") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...4, haveNames: true))
        try await story.isWell()
        try await story.when("IPv6 dies behind the router") { try world.cutUpstream6() }
            .tellsOnly(
                Told.Verdict("limited", blame: "uplink", reason: "ipv6-failed", down: []), atMost: 3, for: 12)
        try await story.when("one of them is gone") { try world.silence(ScenarioWorld.address(2)) }
            .tells(Told.Verdict("limited", reason: "ipv6-failed", down: ["t2"]), within: 8)
        try await story.ends()
    }
}
