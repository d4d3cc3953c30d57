import TestSupport
import Testing

extension Scenarios {
    @Test("a target that is sent by a gateway that lives leaves the dead one behind")
    func otherGateway() async throws {
        let world = try ScenarioWorld(.hub)
        let second = try world.addGateway()
        try second.run("sysctl", "-qw", "net.ipv4.ip_forward=1", "net.ipv4.conf.all.send_redirects=0")
        try second.ip("route add 198.51.100.0/24 via 10.0.0.1 dev far")
        try world.host.ip("route add 198.51.100.3/32 via 10.0.0.254 dev eth0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3))
        try await story.isWell()
        try await story.when("the second gateway dies") { try second.ip("link set far down") }
            .tells(Told.Verdict("limited", blame: "unknown"), within: 12)
        try await story.when("the route leads by the first") {
            try world.host.ip("route replace 198.51.100.3/32 via 10.0.0.1 dev eth0")
        }.tells(.full, events: 1...2, within: 12)
        try await story.ends()
    }
}
