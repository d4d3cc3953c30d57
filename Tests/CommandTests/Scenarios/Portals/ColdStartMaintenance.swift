import Testing

extension Scenarios {
    @Test("at the start, too, five names on one server that redirects are that server's, and no portal")
    func coldStartMaintenance() async throws {
        let world = try ScenarioWorld()
        try world.set(.redirect(to: "http://maintenance.test/"), of: ScenarioWorld.address(9))
        let shops = (11...15).map { "t\($0)" }
        for shop in shops { try world.move("\(shop).test", to: ScenarioWorld.address(9)) }
        let targets = shops.map { ScenarioWorld.Target($0, "http://\($0).test/") }
        let story = try world.watch(targets + ScenarioWorld.Target.numbers(1...2))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: Set(shops)), or: Told.Verdict("unknown"),
            Told.Verdict("limited", blame: "target"), events: 2...4, within: 10)
        try await story.ends()
    }
}
