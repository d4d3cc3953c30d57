import TestSupport
import Testing

extension Scenarios {
    @Test("an upstream that is dead for both families is the uplink's fault")
    func bothFamilies() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        let six = (1...2).map { ScenarioWorld.Target("six\($0)", "http://[fd99::\($0)]/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + six)
        try await story.isWell()
        try await story.when("the upstream falls silent for both families") {
            try world.cutUpstream()
            try world.cutUpstream6()
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 6)
        try await story.when("it is back for both") {
            try world.restoreUpstream()
            try world.restoreUpstream6()
        }.tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("an interface that is gone is told at once, as the path's fault")
    func interfaceGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the interface is gone") { try world.host.ip("link delete eth0") }
            .tells(
                Told.Verdict("none", blame: "path", down: [], words: "there is no path"),
                events: 1...2, within: 0.5)
        try await story.ends()
    }

    @Test("a cable that is pulled is told at once, as the path's fault, and so is its return")
    func lostCarrier() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the cable is pulled") { try world.unplug() }
            .tells(Told.Verdict("none", blame: "path", down: [], words: "there is no path"), within: 0.5)
        try await story.when("it is plugged in") { try world.plug() }
            .tells(.full, or: Told.Verdict("unknown"), events: 1...2, within: 2)
        try await story.ends()
    }

    @Test("a family that is dead beside one that lives is told as such, and no target is down for it")
    func oneFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        let six = (1...2).map { ScenarioWorld.Target("six\($0)", "http://[fd99::\($0)]/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + six)
        try await story.isWell()
        try await story.when("IPv6 dies behind the router") { try world.cutUpstream6() }
            .tells(Told.Verdict("limited", blame: "uplink", reason: "ipv6-failed", down: []), within: 6)
        try await story.ends()
    }

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

    @Test("without a default route, what a route of its own leads to is told as it is, as such routes come and go")
    func routesOfTheirOwn() async throws {
        let world = try ScenarioWorld(.hub)
        let second = try world.addGateway()
        // Its own addresses come after the rule by which one of them falls silent.
        try second.ip("rule add pref 100 lookup local\nrule delete pref 0")
        let own = (1...2).map { ScenarioWorld.Target("o\($0)", "http://203.0.113.\($0)/") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + own)
        try await story.isWell()
        let none = Told.Verdict("none", blame: "path", down: [], words: "there is no path")
        try await story.when("the default route is gone") { try world.host.ip("route delete default") }
            .tells(none, within: 1)
        try await story.when("one of two behind a route of their own falls silent") {
            try second.ip("rule add pref 5 iif far to 203.0.113.2 blackhole")
        }.tells(Told.Verdict("none", blame: "path", down: ["o2"]), within: 6)
        try await story.when("that route is gone") { try world.host.ip("route delete 203.0.113.0/24") }
            .tells(none, or: Told.Verdict("none"), events: 1...2, within: 1)
        try await story.when("it is back") { try world.host.ip("route add 203.0.113.0/24 via 10.0.0.254 dev eth0") }
            .tells(Told.Verdict("none", blame: "path", down: ["o2"]), or: none, events: 1...3, within: 8)
        try await story.when("all is as it was") {
            try second.ip("rule delete pref 5")
            try world.host.ip("route add default via 10.0.0.1 dev eth0")
        }.tells(
            .full, or: Told.Verdict("unknown"), Told.Verdict("none"),
            Told.Verdict("limited", blame: "target", down: ["o2"]),
            events: 1...4, within: 6)
        try await story.ends()
    }

    @Test("a router that rejects everything says nothing of the targets: the uplink is at fault, and none before")
    func rejectingRouter() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 5)
        try await story.isWell(for: 5)
        try await story.when("the router rejects what is not for itself, as iptables does") {
            try world.router.run("nft", "add", "table", "ip", "wall")
            try world.router.run("nft", "add chain ip wall in { type filter hook input priority 0 ; }")
            try world.router.run("nft", "add rule ip wall in ip daddr != 10.0.0.1 reject with icmp port-unreachable")
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 6)
        try await story.when("it does so no more") { try world.router.run("nft", "delete", "table", "ip", "wall") }
            .tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("without a way out those on the link are told as they are, all at once")
    func onlyThisNetwork() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let boxes = [ScenarioWorld.Target("router", "http://10.0.0.1/"), .init("box", "http://10.0.0.77/")]
        let story = try world.watch(boxes)
        try await story.isWell()
        try await story.when("the way out is gone") { try world.host.ip("route del default") }
            .tells(Told.Verdict("none", blame: "path", reason: "no-path", down: []), events: 1...2, within: 2)
        try await story.when("the box is gone") { try box.ip("link set far down") }
            .tells(Told.Verdict("none", blame: "path", down: ["box"], words: "router answered"), within: 8)
        try await story.when("there is a way out again, and the box is back") {
            try box.ip("link set far up")
            try world.host.ip("route add default via 10.0.0.1")
        }.tells(.full, or: Told.Verdict("unknown"), Told.Verdict("limited"), events: 1...3, within: 8)
        try await story.ends()
    }

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

    @Test("an uplink is found alive by a reference, where its only target is gone when it is back")
    func targetGoneMeanwhile() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...1))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 8)
        try await story.when("it is back, and the target is gone") {
            try world.silence(ScenarioWorld.address(1))
            try world.restoreUpstream()
        }.tells(
            Told.Verdict("limited", blame: "target", down: ["t1"]), or: Told.Verdict("unknown"), Told.Verdict("full"),
            Told.Verdict("limited"), events: 1...3, within: 20)
        try await story.ends()
    }

    @Test("two hundred targets behind a dead uplink are one event")
    func twoHundredTargets() async throws {
        let world = try ScenarioWorld()
        let targets = (0..<200).map {
            ScenarioWorld.Target("t\($0)", "http://\(ScenarioWorld.address(1 + $0 % 40))/\($0)")
        }
        let story = try world.watch(targets, interval: 5)
        try await story.isWell(for: 5)
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: []), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }
            .tells(.full, events: 1...2, within: 5.5)
        try await story.ends()
    }

    @Test("targets whose route moves to a dead gateway are told at once, each time, and their return as well")
    func movedToDeadGateway() async throws {
        let world = try ScenarioWorld()
        let moved = ScenarioWorld.Target.numbers(17...18)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...1) + moved)
        try await story.isWell()
        for time in ["two of three are led to a gateway that is not there", "the same again"] {
            try await story.when(time) { try world.host.ip("route add 198.51.100.16/29 via 10.0.0.77") }
                .tells(
                    Told.Verdict("limited", blame: "path", down: []), events: 1...2, within: 12, quiet: 6)
            #expect(story.told.targets["t17"]?.status == "unknown")
            try await story.when("the route goes") { try world.host.ip("route delete 198.51.100.16/29") }
                .tells(.full, events: 1...2, within: 7, quiet: 6)
            #expect(story.told.targets["t17"]?.status == "up")
        }
        try await story.ends()
    }

    @Test("a rule by source that leads to a gateway that is not there is the path's fault, for IPv4 alone")
    func ruleBySource() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        try world.host.ip(
            """
            rule add from 10.0.0.2 to 198.51.100.16/29 lookup 77
            route add default via 10.0.0.77 dev eth0 table 77
            route add default via fd00:1::77 dev eth0 table 77
            """)
        try world.host.run("ip", "-6", "rule", "add", "from", "fd00:1::2", "to", "fd99::/64", "lookup", "77")
        let six = (1...2).map { ScenarioWorld.Target("six\($0)", "http://[fd99::\($0)]/") }
        let led = ScenarioWorld.Target.numbers(17...18)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...2) + led + six)
        try await story.tells(
            Told.Verdict("limited", blame: "path", down: []), or: Told.Verdict("unknown"), events: 2...2, within: 6)
        #expect(["t1", "t2", "six1", "six2"].allSatisfy { story.told.targets[$0]?.status == "up" })
        try await story.ends()
    }
}
