import TestSupport
import Testing

extension Scenarios {
    @Test("an interface that is renamed while it is up is the same: what is known of it goes on to be known")
    func renamedInterface() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("eth0 is called lan0") { try world.host.ip("link set eth0 name lan0") }
            .tells(.full, within: 1)
        try await story.when("its upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 6)
        try await story.when("and is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
