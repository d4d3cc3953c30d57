import TestSupport
import Testing

extension Scenarios {
    @Test("a name that leads to no host at all, as lists of what is blocked have it, is the name server's fault")
    func blockedName() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("one name is 0.0.0.0") { try world.move("t3.test", to: "0.0.0.0") }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "dns-hijack", down: ["t3"]), within: 8)
        try await story.when("it has its address again") { try world.move("t3.test", to: ScenarioWorld.address(3)) }
            .tells(.full, within: 5)
        try await story.ends()
    }

    @Test("a name server that sends all names to an address of its own is at fault")
    func hijackedNames() async throws {
        let world = try ScenarioWorld()
        let targets = (1...5).map { number in
            ScenarioWorld.Target("t\(number)", "http://t\(number).test/", #""public": true"#)
        }
        let story = try world.watch(targets)
        try await story.isWell()
        // A name that was asked for before and answered after is the first, where the others are still found.
        try await story.when("all names lead to 10.0.0.1") { try world.setNames(.hijack(to: "10.0.0.1")) }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "dns-hijack"), events: 1...2, within: 8)
        try await story.ends()
    }

    @Test("a name server that sends all names to an address where nobody is is at fault, and not the targets")
    func hijackedToNobody() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("all names lead to 10.0.0.77") { try world.setNames(.hijack(to: "10.0.0.77")) }
            .tells(
                Told.Verdict("limited", blame: "resolver", reason: "dns-hijack"), events: 1...2, within: 10, quiet: 6)
        try await story.ends()
    }

    @Test("a server that moves is followed by its name, and nothing is told")
    func movedName() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("a name leads elsewhere, and its old server is silent") {
            try world.move("t2.test", to: ScenarioWorld.address(22))
            try world.silence(ScenarioWorld.address(2))
        }.tellsNothing(for: 8)
        try await story.ends()
    }

    @Test("a name server that denies all names is at fault, and not the names")
    func noSuchNames() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for all") { try world.setNames(.nxdomain) }
            .tells(Told.Verdict("limited", blame: "resolver", words: "nor others"), within: 7)
        try await story.ends()
    }

    @Test("at the start, too, a name server that denies all names is at fault")
    func coldStartNoSuchNames() async throws {
        let world = try ScenarioWorld()
        try world.setNames(.nxdomain)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", words: "nor others"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6)
        try await story.ends()
    }

    @Test("a name server that denies all names is at fault where one family is dead, too")
    func noSuchNamesBesideDeadFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        try world.cutUpstream6()
        try world.setNames(.nxdomain)
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", words: "nor others"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6, quiet: 6)
        try await story.ends()
    }

    @Test("what no target may use is not told to be dead")
    func noSuchNamesByOneFamily() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        try world.cutUpstream6()
        try world.setNames(.nxdomain)
        let targets = (1...5).map { ScenarioWorld.Target("t\($0)", "http://t\($0).test/", #""family": "ipv4""#) }
        let story = try world.watch(targets)
        try await story.tells(
            Told.Verdict("limited", blame: "resolver", words: "nor others"), or: Told.Verdict("unknown"),
            events: 2...2, within: 6, quiet: 6)
        try await story.ends()
    }

    @Test("a name that does not exist any more is its target's fault")
    func oneNameGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for one name") { try world.setNames(.nxdomain, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 8)
        try await story.ends()
    }

    @Test("no answer for one name of five is that name's target's fault, as where the domain's own servers are dead")
    func silenceForOne() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("no answer for one name") { try world.setNames(.silent, of: "t3.test") }
            .tells(Told.Verdict("limited", blame: "target", down: ["t3"], words: "answered"), within: 12)
        try await story.ends()
    }

    @Test("two names of five that are not found are the name server's fault, and told in no other word before")
    func twoNamesGone() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for two names") {
            try world.setNames(.nxdomain, of: "t1.test")
            try world.setNames(.nxdomain, of: "t2.test")
        }.tells(Told.Verdict("limited", blame: "resolver", down: ["t1", "t2"]), events: 1...2, within: 8)
        try await story.ends()
    }

    @Test("a name server to which no route leads any more is not at fault, while the other family goes on")
    func noRouteToNameServer() async throws {
        let world = try ScenarioWorld()
        try world.addIPv6()
        let named = ScenarioWorld.Target.numbers(1...2, haveNames: true)
        let story = try world.watch(named + [ScenarioWorld.Target("six", "http://[fd99::1]/")])
        try await story.isWell()
        try await story.when("the default route of IPv4 goes") { try world.host.ip("route delete default") }
            .tells(
                Told.Verdict("limited", blame: "path", reason: "no-route", down: ["t1", "t2"]), events: 1...2,
                within: 8, quiet: 5)
        try await story.when("it comes again") { try world.host.ip("route add default via 10.0.0.1") }
            .tells(.full, events: 1...2, within: 6)
        try await story.ends()
    }

    @Test("names that are found again are not told to fail once more")
    func twoNamesBack() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for two names") {
            try world.setNames(.nxdomain, of: "t1.test")
            try world.setNames(.nxdomain, of: "t3.test")
        }.tells(Told.Verdict("limited", blame: "resolver", down: ["t1", "t3"]), events: 1...2, within: 10)
        try await story.when("both are found") {
            try world.setNames(.well, of: "t1.test")
            try world.setNames(.well, of: "t3.test")
        }.tells(.full, or: Told.Verdict("limited", blame: "resolver"), events: 1...2, within: 8, quiet: 4)
        try await story.ends()
    }

    @Test("names that fail in another way are told to")
    func anotherFailureOfNames() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3, haveNames: true))
        try await story.isWell()
        try await story.when("NXDOMAIN for all") { try world.setNames(.nxdomain) }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "name-not-found"), within: 7)
        try await story.when("the name server falls silent") { try world.setNames(.silent) }
            .tells(Told.Verdict("limited", blame: "resolver", reason: "dns-failed"), within: 20)
        try await story.ends()
    }
}
