import TestSupport
import Testing

extension Scenarios {
    @Test("a dead gateway beside one that lives is the fault of the path, and only of what is behind it")
    func oneGatewayOfTwo() async throws {
        let world = try ScenarioWorld(.hub)
        let second = try world.addGateway()
        let others = (1...2).map { ScenarioWorld.Target("o\($0)", "http://203.0.113.\($0)/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + others)
        try await story.isWell()
        try await story.when("the second gateway is gone") { try second.ip("link set far down") }
            .tells(
                Told.Verdict("limited", blame: "path", down: [], words: "another way of this host's works"), within: 6)
        try await story.when("it is back") { try second.ip("link set far up") }.tells(.full, within: 7)
        try await story.ends()
    }
}
