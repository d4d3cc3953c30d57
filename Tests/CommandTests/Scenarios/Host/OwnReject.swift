import TestSupport
import Testing

extension Scenarios {
    /// How a filter of the host's own may reject connections to one port, while all others go out.
    static let rejects = ["reject with tcp reset", "reject", "reject with icmp type admin-prohibited"]

    @Test("a filter of this host's own that rejects one port is no fault of any of twenty targets", arguments: rejects)
    func ownRejectOfMany(verdict: String) async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...20))
        try await story.isWell()
        try await story.when(verdict) { try world.rejectsWeb(verdict) }.tells(
            Told.Verdict("unknown", blame: "self", reason: "not-permitted", down: []), within: 5, quiet: 10)
        try await story.ends()
    }

    @Test(
        "a filter of this host's own is no fault of any address of a target of which each is asked", arguments: rejects)
    func ownRejectOfEachAddress(verdict: String) async throws {
        let world = try ScenarioWorld()
        try world.move("t1.test", to: ScenarioWorld.address(1), ScenarioWorld.address(2))
        let story = try world.watch([ScenarioWorld.Target("t1", "http://t1.test/", #""eachAddress": true"#)])
        try await story.isWell()
        try await story.when(verdict) { try world.rejectsWeb(verdict) }.tells(
            Told.Verdict("unknown", blame: "self", reason: "not-permitted", down: []), within: 5, quiet: 6)
        // What the filter refused just before may be looked at just after: then nothing is known for a moment.
        try await story.when("it is gone") { try world.host.run("nft", "delete", "table", "ip", "own") }
            .tells(.full, or: Told.Verdict("unknown", down: []), events: 1...2, within: 5.5)
        try await story.ends()
    }

    @Test(
        "a dead target is at fault where a filter of this host's own keeps port 80 of all others from being asked",
        arguments: ["reject with tcp reset", "reject"])
    func ownRejectBesideDeadTarget(verdict: String) async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        try world.rejectsWeb(verdict)
        let story = try world.watch([ScenarioWorld.Target("t1", "tcp://\(ScenarioWorld.address(1)):443")])
        try await story.isWell()
        try await story.when("it falls silent") { try world.silence(ScenarioWorld.address(1)) }
            .tells(Told.Verdict("limited", blame: "target", down: ["t1"]), within: 8)
        try await story.ends()
    }

    @Test("a dead uplink is told where a filter of this host's own answers for port 80 in the names of hosts behind it")
    func ownResetBesideDeadUplink() async throws {
        let world = try ScenarioWorld()
        try world.rejectsWeb("reject with tcp reset")
        let story = try world.watchSecurely(1...3, plainly: 4...4)
        try await story.tells(
            Told.Verdict("limited", blame: "self", reason: "not-permitted", down: []), or: Told.Verdict("unknown"),
            events: 1...2, within: 10)
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.when("it is back") { try world.restoreUpstream() }
            .tells(Told.Verdict("limited", blame: "self", reason: "not-permitted", down: []), events: 1...2, within: 6)
        try await story.ends()
    }

    @Test(
        "a filter of this host's own that rejects one port is this host's fault, one event, and so is its end",
        arguments: rejects)
    func ownReject(verdict: String) async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when(verdict) { try world.rejectsWeb(verdict) }.tells(
            Told.Verdict("unknown", blame: "self", reason: "not-permitted", down: [], words: "this host"), within: 5,
            quiet: 10)
        try await story.when("it is gone") { try world.host.run("nft", "delete", "table", "ip", "own") }
            .tells(.full, within: 5.5)
        try await story.ends()
    }
}

extension ScenarioWorld {
    /// Sets up a filter of the host's own that rejects connections to web servers.
    fileprivate func rejectsWeb(_ verdict: String) throws {
        try host.run("nft", "add", "table", "ip", "own")
        try host.run("nft", "add chain ip own out { type filter hook output priority 0 ; }")
        try host.run("nft", "add rule ip own out oifname eth0 tcp dport 80 \(verdict)")
    }
}
