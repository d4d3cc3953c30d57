import TestSupport
import Testing

extension Scenarios {
    @Test(
        "a tunnel that all goes through and that dies is the fault of the path",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadFullTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("local", blame: "path", down: []), within: 6)
        try await story.ends()
    }

    @Test(
        "a split tunnel that dies is the fault of the path, and what is beside it stays up",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadSplitTunnel() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchBesideSplitTunnel()
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("limited", blame: "path", down: []), within: 6)
        try await story.when("it is back") { try world.unsilence("203.0.113.1") }.tells(.full, within: 7)
        try await story.ends()
    }

    @Test(
        "a split tunnel that leads by a gateway within it is the fault of the path as well",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadSplitTunnelByGateway() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchBesideSplitTunnel(gateway: "10.8.0.1")
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("limited", blame: "path", down: []), within: 6)
        try await story.when("it is back") { try world.unsilence("203.0.113.1") }.tells(.full, within: 7)
        try await story.ends()
    }

    @Test(
        "an upstream that dies under a dead tunnel is at fault from then on, and the tunnel again once it is back",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamAfterFullTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the other end of the tunnel falls silent") { try world.silence("203.0.113.1") }
            .tells(Told.Verdict("local", blame: "path", down: []), within: 6)
        try await story.when("the upstream dies, too") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 12)
        try await story.when("the upstream is back") { try world.restoreUpstream() }
            .tells(Told.Verdict("local", blame: "path", down: []), within: 14)
        try await story.ends()
    }

    @Test(
        "an upstream that dies under a tunnel to everything is at fault, and not the tunnel",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamUnderFullTunnel() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.ends()
    }

    @Test(
        "an upstream that dies under a split tunnel is at fault for both",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func deadUpstreamUnderSplitTunnel() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchBesideSplitTunnel()
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 6)
        try await story.ends()
    }

    @Test(
        "a tunnel that goes leaves the link under it, of which nothing that is watched is known",
        .enabled(if: ScenarioWorld.hasTunnels, "no /dev/net/tun here"))
    func goneOverDeadUpstream() async throws {
        let world = try ScenarioWorld()
        try world.addTunnel()
        try world.host.ip("route add 0.0.0.0/1 dev tun0\nroute add 128.0.0.0/1 dev tun0")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("it is gone, and the upstream is dead") {
            try world.cutUpstream()
            try world.host.ip("link set tun0 down")
        }.tells(
            Told.Verdict("local", blame: "uplink", down: []), or: Told.Verdict("unknown"), events: 1...2, within: 6)
        try await story.ends()
    }
}
