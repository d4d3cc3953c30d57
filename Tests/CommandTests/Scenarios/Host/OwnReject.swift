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
