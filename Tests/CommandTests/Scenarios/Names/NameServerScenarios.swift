import SystemPackage
import TestSupport
import Testing

extension Scenarios {
    @Test("a name server that falls silent behind the router is the name server's fault")
    func deadNameServer() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the name server falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "the name was not resolved"),
                within: 8)
        try await story.when("it answers again") { try world.setNames(.well) }.tells(.full, events: 1...2, within: 6)
        try await story.ends()
    }

    @Test("at the start, too, a silent name server is the name server's fault")
    func coldStartDeadNameServer() async throws {
        let world = try ScenarioWorld()
        try world.setNames(.silent)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"),
            or: Told.Verdict("unknown"), events: 2...2, within: 8)
        try await story.ends()
    }

    @Test("a name server that falls silent soon after an outage is told as soon as ever")
    func deadNameServerAfterOutage() async throws {
        let world = try ScenarioWorld()
        let named = ScenarioWorld.Target.numbers(1...2, haveNames: true)
        let story = try world.watch(named + ScenarioWorld.Target.numbers(3...3))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink"), within: 8, quiet: 5)
        try await story.when("it is back") { try world.restoreUpstream() }.tells(.full, within: 8)
        try await story.when("the name server falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "the name was not resolved"),
                within: 10)
        try await story.ends()
    }

    @Test("another name server that is silent, too, is no reason to call anything well")
    func otherDeadNameServer() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true), interval: 10)
        try await story.isWell()
        let dead = Told.Verdict("limited", blame: "resolver", reason: "dns-failed")
        try await story.when("the name servers fall silent") { try world.setNames(.silent) }.tells(dead, within: 15)
        try await story.when("another one takes the first one's place") {
            try world.useNameServers(ScenarioWorld.routerNames)
        }.tellsOnly(dead, atMost: 1, for: 8)
        try await story.when("it answers") { try world.setNames(.well) }.tells(.full, events: 1...2, within: 8)
        try await story.ends()
    }

    @Test("a name server whose port is closed is at fault all the time, where nothing but its host answers")
    func closedNameServerAlone() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.address(40))
        try world.silence((1...5).map(ScenarioWorld.address) + ["1.1.1.1", "8.8.8.8", "9.9.9.9"])
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"),
            or: Told.Verdict("unknown"), events: 2...2, within: 8, quiet: 25)
        try await story.ends()
    }

    @Test("a name server on the link that falls silent is the name server's fault")
    func deadNameServerOnTheLink() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the name server on the router falls silent") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"), within: 8)
        try await story.ends()
    }

    @Test("at the start, too, a silent name server on the link is at fault")
    func coldStartDeadNameServerOnTheLink() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        try world.setNames(.silent)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"),
            or: Told.Verdict("unknown"), events: 2...2, within: 8)
        try await story.ends()
    }

    @Test("a second name server takes over, and nothing is told")
    func secondNameServer() async throws {
        let world = try ScenarioWorld()
        try world.useNameServers(ScenarioWorld.distantNames, ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true), timeout: 3)
        try await story.isWell()
        try await story.when("the first name server falls silent") {
            try world.setNames(.silent, of: ScenarioWorld.distantNames)
        }.tellsNothing(for: 12)
        try await story.ends()
    }

    @Test("SERVFAIL for one name of five is that name's target's fault")
    func serverFailureForOne() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("SERVFAIL for one name") { try world.setNames(.servfail, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 8)
        try await story.ends()
    }

    /// Five well names of a name server on this host itself, as systemd-resolved's stub is.
    private func stub() async throws -> (ScenarioWorld, Story) {
        let address = "127.0.0.53"
        let world = try ScenarioWorld(nameServer: address)
        try world.start(in: world.host, "beyond.py", world.folder.path.string, address)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        return (world, story)
    }

    @Test("a name server on this host itself that hangs is the name server's fault, though no other host is on its way")
    func silentStub() async throws {
        let (world, story) = try await stub()
        try await story.when("it hangs") { try world.setNames(.silent) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-failed", words: "was not resolved"), within: 8)
        try await story.when("it goes on") { try world.setNames(.well) }.tells(.full, within: 8)
        try await story.ends()
    }

    @Test("a name server on this host itself that waits for those behind a dead uplink is not at fault, then or later")
    func waitingStub() async throws {
        let (world, story) = try await stub()
        try await story.when("the upstream falls silent, and with it the name server") {
            try world.setNames(.silent)
            try world.cutUpstream()
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 8, quiet: 15)
        try await story.when("all is back") {
            try world.restoreUpstream()
            try world.setNames(.well)
        }.tells(.full, within: 8)
        try await story.ends()
    }

    @Test("a name server that takes a second changes nothing")
    func slowNameServer() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true), timeout: 3)
        try await story.isWell()
        try await story.when("the name server takes 1.2 s") { try world.setNames(.slow(seconds: 1.2)) }
            .tellsNothing(for: 8)
        try await story.ends()
    }
}
