import Testing

extension Scenarios {
    @Test("ten of two hundred targets on one dead server are one event")
    func tenOfTwoHundred() async throws {
        let world = try ScenarioWorld()
        let targets = (0..<200).map { number in
            let address = number < 10 ? 40 : 1 + number % 39
            return ScenarioWorld.Target("t\(number)", "http://\(ScenarioWorld.address(address))/\(number)")
        }
        let story = try world.watch(targets, interval: 5)
        try await story.isWell(for: 5)
        try await story.when("the server of ten falls silent") { try world.silence(ScenarioWorld.address(40)) }
            .tells(
                Told.Verdict("limited", blame: "target", down: Set((0..<10).map { "t\($0)" }), words: "answered"),
                within: 10)
        try await story.ends()
    }
}
