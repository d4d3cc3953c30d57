import TestSupport
import Testing

extension Scenarios {
    @Test("a box on the link that falls silent is at fault, and not the uplink")
    func boxOnTheLink() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let story = try world.watch([ScenarioWorld.Target("box", "http://10.0.0.77/")])
        try await story.isWell()
        try await story.when("the box is gone") { try box.ip("link set far down") }
            .tells(Told.Verdict("limited", blame: "target", down: ["box"], words: "answered"), within: 8)
        try await story.ends()
    }

    @Test("where only a box on the link answers, the uplink is at fault")
    func deadUpstreamBesideBox() async throws {
        let world = try ScenarioWorld(.hub)
        let box = try world.addBox()
        let story = try world.watch(
            [ScenarioWorld.Target("box", "http://10.0.0.77/")] + ScenarioWorld.Target.numbers(1...3))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(
                Told.Verdict("local", blame: "uplink", down: [], words: "nobody behind the gateway answers"), within: 5)
        try await story.ends()
        withExtendedLifetime(box) {}
    }

    @Test("a target that sends a byte at a time, without an end, is down, at its own fault")
    func dripTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it sends a byte each 0.1 s, without an end", .drip)
    }

    @Test("a target whose name is asked by the family that dies is asked by the other one")
    func familyThatNeverWon() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        for number in 1...4 { try world.move("t\(number).test", to: ScenarioWorld.address(number), "fd99::\(number)") }
        let story = try world.watch(ScenarioWorld.Target.numbers(1...4, haveNames: true))
        try await story.isWell()
        try await story.when("IPv6 dies behind the router") { try world.cutUpstream6() }
            .tellsOnly(
                Told.Verdict("limited", blame: "uplink", reason: "ipv6-failed", down: []), atMost: 3, for: 12)
        try await story.when("one of them is gone") { try world.silence(ScenarioWorld.address(2)) }
            .tells(Told.Verdict("limited", reason: "ipv6-failed", down: ["t2"]), within: 8)
        try await story.ends()
    }

    @Test("a target that comes and goes is told as flapping, and in few events")
    func flappingTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3), interval: 1)
        try await story.isWell()
        var took = Duration.zero
        try await story.when("one target answers 500 for 2 s of each 3.5 s, six times") {
            let start = ContinuousClock.now
            for _ in 0..<6 {
                try world.set(.status(500), of: ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(2_000))
                try world.set(.well, of: ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(1_500))
            }
            took = ContinuousClock.now - start
        }.tells(
            .full, or: Told.Verdict("limited", blame: "target", down: ["t2"]),
            // On a machine that is held up it comes and goes too seldom for that.
            events: 0...(took < .seconds(24) ? 8 : 12), within: 45, quiet: 1)
        try await story.ends()
    }

    @Test("a target that accepts and says nothing is down, at its own fault")
    func muteTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it accepts and says nothing", .silent)
    }

    @Test("a target of a family that has no route is down by the path's fault, and holds nothing else up")
    func noRouteInFamily() async throws {
        let world = try ScenarioWorld()
        let six = ScenarioWorld.Target("six", "http://[2001:db8:99::1]/")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + [six])
        try await story.tells(
            Told.Verdict("limited", blame: "path", down: ["six"]), or: Told.Verdict("unknown"), events: 2...2,
            within: 3)
        try await story.ends()
    }

    @Test("a target that redirects in a circle is down for its answers, and not for its silence")
    func circularTarget() async throws {
        let world = try ScenarioWorld()
        let place = "http://\(ScenarioWorld.address(4))/"
        let story = try world.watch(
            ScenarioWorld.Target.numbers(1...3) + [ScenarioWorld.Target("circle", place, #""redirects": 3"#)])
        try await story.isWell()
        try await story.when("it redirects to itself") {
            try world.set(.redirect(to: place), of: ScenarioWorld.address(4))
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "unexpected-status", down: ["circle"]), within: 8)
        try await story.ends()
    }

    @Test("a target that resets each connection is down, at its own fault")
    func resetTarget() async throws {
        try await ScenarioWorld().tellsOneTarget("it resets each connection", .reset)
    }

    @Test("a target that answers 500 is down, at its own fault")
    func serverErrorTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("one target: it answers 500") {
            try world.set(.status(500), of: ScenarioWorld.address(2))
        }.tells(Told.Verdict("limited", blame: "target", down: ["t2"], words: "answered"), within: 8)
        try await story.when("it is well again") {
            try world.set(.well, of: ScenarioWorld.address(2))
        }.tells(.full, within: 5)
        try await story.ends()
    }

    @Test("a target of which a router says that it is unreachable is down, in that word")
    func unreachableTarget() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the router says that one is unreachable") {
            try world.makeUnreachable(ScenarioWorld.address(2))
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "unreachable", down: ["t2"], words: "answered"), within: 8)
        try await story.ends()
    }

    @Test(
        "a target that a route of this host's own rejects is down for want of a way, in one event, and so is its end",
        arguments: ["unreachable", "prohibit", "blackhole", "throw"])
    func rejectedTarget(kind: String) async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        let route = "\(kind) \(ScenarioWorld.address(2))"
        try await story.when("a route of the kind \(kind) leads to one target") {
            try world.host.ip("route add \(route)")
        }.tells(
            Told.Verdict("limited", blame: "path", reason: "no-route", down: ["t2"], words: "no route leads there"),
            within: 8)
        try await story.when("it is gone") { try world.host.ip("route delete \(route)") }.tells(.full, within: 7)
        try await story.ends()
    }
}
