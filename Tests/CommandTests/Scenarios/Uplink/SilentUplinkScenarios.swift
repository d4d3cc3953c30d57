import Testing

extension Scenarios {
    @Test("a gateway that is gone without the carrier is the uplink's fault")
    func deadGateway() async throws {
        let world = try ScenarioWorld(.hub)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the gateway is gone") { try world.removeRouter() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), events: 1...2, within: 6)
        try await story.ends()
    }

    @Test("at the start, too, a router that answers SERVFAIL with a dead line is the uplink's fault")
    func coldStartServerFailure() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        try world.cutUpstream()
        try world.setNames(.servfail)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6)
        try await story.ends()
    }

    @Test("a silent upstream is the uplink's fault, told once for all targets, and so is its return")
    func silentUpstream() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("at the start a silent upstream is the uplink's fault")
    func coldStartSilentUpstream() async throws {
        let world = try ScenarioWorld()
        try world.cutUpstream()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6)
        try await story.ends()
    }

    @Test("targets that were down are not known any more once the upstream is dead")
    func silentUpstreamBesideDeadTargets() async throws {
        let world = try ScenarioWorld()
        try world.silence(ScenarioWorld.address(1), ScenarioWorld.address(4))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: ["t1", "t4"], words: "answered"),
            or: Told.Verdict("unknown"), events: 2...3, within: 8)
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.ends()
    }

    @Test("a silent upstream with the name server behind it is the uplink's fault, not the name server's")
    func silentUpstreamBesideNames() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the upstream falls silent") { try world.cutUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody answers"), within: 5)
        try await story.when("the upstream is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("a router that answers SERVFAIL because its line is dead does not make it the name server's fault")
    func silentUpstreamServerFailure() async throws {
        let world = try ScenarioWorld(nameServer: ScenarioWorld.routerNames)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("the line dies, and the router answers SERVFAIL") {
            try world.cutUpstream()
            try world.setNames(.servfail)
        }.tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), within: 5)
        try await story.when("the line is back") {
            try world.restoreUpstream()
            try world.setNames(.well)
        }.tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("a router that says once that a target is unreachable changes nothing")
    func unreachableOnce() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), interval: 1)
        try await story.isWell()
        // Misses count where they are a second apart, so that less than one has one at most. On a machine that is too busy it may
        // be longer, and then it is rightly told.
        for _ in 0..<10 {
            let start = ContinuousClock.now
            let said = try await story.when("one target is unreachable for 0.8 s") {
                try world.makeUnreachable(ScenarioWorld.address(2))
                try await Task.sleep(for: .milliseconds(800))
                try world.makeReachable(ScenarioWorld.address(2))
            }
            guard start.duration(to: .now) > .milliseconds(980) else {
                try await said.tellsNothing(for: 4)
                return try await story.ends()
            }
            try await story.isWell()
        }
        Issue.record("this machine is too busy to do anything for 0.8 s")
        try await story.ends()
    }

    @Test("a router that says that all is unreachable is the uplink's fault")
    func unreachableUpstream() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the router says that it reaches nobody") { try world.tellUpstream() }
            .tells(Told.Verdict("local", blame: "uplink", down: [], words: "nobody"), within: 5)
        try await story.ends()
    }
}
