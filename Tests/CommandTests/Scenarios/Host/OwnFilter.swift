import TestSupport
import Testing

extension Scenarios {
    /// What a filter of the host's own may do with what is sent, and where.
    static let filters = [
        "oifname eth0 drop", "udp dport 53 drop", "oifname eth0 reject",
        "ip daddr 198.51.100.0/24 reject with icmp type admin-prohibited",
    ]

    @Test(
        "a filter of this host's own that lets no question out is this host's fault, one event, and so is its end",
        arguments: filters)
    func ownFilter(rule: String) async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when(rule) {
            try world.host.run("nft", "add", "table", "ip", "own")
            try world.host.run("nft", "add chain ip own out { type filter hook output priority 0 ; }")
            try world.host.run("nft", "add rule ip own out \(rule)")
        }.tells(Told.Verdict("unknown", blame: "self", down: [], words: "this host"), within: 5, quiet: 15)
        try await story.when("it is gone") { try world.host.run("nft", "delete", "table", "ip", "own") }
            .tells(.full, within: 5.5)
        try await story.ends()
    }
}
