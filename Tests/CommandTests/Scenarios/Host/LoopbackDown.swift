import SystemPackage
import TestSupport
import Testing

extension Scenarios {
    @Test("a loopback that is down is this host's fault and no uplink's, and so is its end")
    func loopbackDown() async throws {
        let world = try ScenarioWorld()
        try world.start(in: world.host, "beyond.py", world.folder.path.string)
        let local = ScenarioWorld.Target("local", "http://127.0.0.1/")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + [local])
        try await story.isWell()
        try await story.when("lo is down") { try world.host.ip("link set lo down") }
            .tells(Told.Verdict("limited", blame: "self", down: [], words: "loopback"), within: 8)
        try await story.when("it is up") { try world.host.ip("link set lo up") }.tells(.full, within: 5.5)
        try await story.ends()
    }
}
