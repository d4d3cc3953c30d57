import SystemPackage
import TestSupport
import Testing

extension Scenarios {
    @Test("a name server on this host itself that hangs is the name server's fault, though no other host is on its way")
    func silentStub() async throws {
        let stub = "127.0.0.53"
        let world = try ScenarioWorld(nameServer: stub)
        try world.start(in: world.host, "beyond.py", world.folder.path.string, stub)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("it hangs") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"), within: 8)
        try await story.when("it goes on") { try world.setNames(.well) }.tells(.full, within: 8)
        try await story.ends()
    }
}
