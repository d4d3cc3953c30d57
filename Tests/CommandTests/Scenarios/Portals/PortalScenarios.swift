import TestSupport
import Testing

extension Scenarios {
    @Test("at the start, too, five names on one server that redirects are that server's, and no portal")
    func coldStartMaintenance() async throws {
        let world = try ScenarioWorld()
        try world.set(.redirect(to: "http://maintenance.test/"), of: ScenarioWorld.address(9))
        let shops = (11...15).map { "t\($0)" }
        for shop in shops { try world.move("\(shop).test", to: ScenarioWorld.address(9)) }
        let targets = shops.map { ScenarioWorld.Target($0, "http://\($0).test/") }
        let story = try world.watch(targets + ScenarioWorld.Target.numbers(1...2))
        try await story.tells(
            Told.Verdict("limited", blame: "target", down: Set(shops)), or: Told.Verdict("unknown"),
            Told.Verdict("limited", blame: "target"), events: 2...4, within: 10)
        try await story.ends()
    }

    @Test("a portal that is there from the start is told as a portal")
    func coldStartPortal() async throws {
        let world = try ScenarioWorld()
        try world.set(.redirect(to: "http://login.test/"), of: "all")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.tells(
            Told.Verdict("portal", blame: "uplink", down: []), or: Told.Verdict("unknown"), events: 2...2, within: 6)
        try await story.ends()
    }

    @Test("a portal that only plain HTTP can show is told as one, though nothing of that is watched")
    func portalBeforeOtherPorts() async throws {
        let world = try ScenarioWorld()
        try world.move("connectivitycheck.gstatic.com", to: ScenarioWorld.address(31))
        try world.set(.status(204), of: ScenarioWorld.address(31))
        // Servers that wait for a handshake, and do not reset what only connects.
        world.authority = try CertificateAuthority()
        try world.certify(1...3, .valid)
        let targets = (1...3).map { ScenarioWorld.Target("t\($0)", "tcp://\(ScenarioWorld.address($0)):443") }
        let story = try world.watch(targets)
        try await story.isWell()
        for time in ["all but port 80 is dropped, and that redirected", "the same after it was open"] {
            try await story.when(time) {
                try world.set(.redirect(to: "http://login.test/"), of: "all", ScenarioWorld.address(31))
                try world.router.run("nft", "add", "table", "ip", "portal")
                try world.router.run("nft", "add chain ip portal in { type filter hook input priority 0 ; }")
                try world.router.run("nft", "add rule ip portal in tcp dport != 80 drop")
            }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6)
            try await story.when("a person has signed in") {
                try world.router.run("nft", "delete", "table", "ip", "portal")
                try world.set(.well, of: "all")
                try world.set(.status(204), of: ScenarioWorld.address(31))
            }.tells(.full, within: 12)
        }
        try await story.ends()
    }

    @Test("a portal that closes and opens is told as a portal, and its end soon")
    func portalComesAndGoes() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("all are sent to a portal") {
            try world.set(.redirect(to: "http://login.test/"), of: "all")
        }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6)
        try await story.when("a person has signed in") { try world.set(.well, of: "all") }.tells(.full, within: 12)
        try await story.ends()
    }

    @Test("a portal is told although a box on the host's own link goes on to answer: it is no way out")
    func portalBesideBox() async throws {
        let world = try ScenarioWorld(.hub)
        _ = try world.addBox()
        let box = ScenarioWorld.Target("box", "http://10.0.0.77/")
        let story = try world.watch(ScenarioWorld.Target.numbers(1...3) + [box])
        try await story.isWell()
        try await story.when("all but the box are sent to a portal") {
            try world.set(.well, of: "10.0.0.77")
            try world.set(.redirect(to: "http://login.test/"), of: "all")
        }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6)
        try await story.when("a person has signed in") { try world.set(.well, of: "all") }.tells(.full, within: 12)
        try await story.ends()
    }

    @Test("a portal is told although a target follows its redirect, and finds its page to be well")
    func portalFollowed() async throws {
        let world = try ScenarioWorld()
        let (page, check) = (ScenarioWorld.address(32), ScenarioWorld.address(31))
        try world.move("login.test", to: page)
        try world.move("connectivitycheck.gstatic.com", to: check)
        try world.set(.status(204), of: check)
        let follower = ScenarioWorld.Target("follower", "http://\(ScenarioWorld.address(2))/", #""redirects": 3"#)
        let story = try world.watch([.number(1), follower])
        try await story.isWell()
        try await story.when("all are sent to a portal, which has a page") {
            try world.set(.well, of: page)
            try world.set(.redirect(to: "http://login.test/"), of: "all", check)
        }.tells(Told.Verdict("portal", blame: "uplink", down: []), within: 6, quiet: 12)
        try await story.when("a person has signed in") {
            try world.set(.well, of: "all")
            try world.set(.status(204), of: check)
        }.tells(.full, within: 12)
        try await story.ends()
    }

    @Test("targets that redirect to their sign-ons make no portal while a reference answers", arguments: [3, 5])
    func severalSignOns(count: Int) async throws {
        let world = try ScenarioWorld()
        try world.move("connectivitycheck.gstatic.com", to: ScenarioWorld.address(31))
        try world.set(.status(204), of: ScenarioWorld.address(31))
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("\(count) of five redirect to other sites") {
            for number in 1...count {
                try world.set(.redirect(to: "http://sso\(number).test/"), of: ScenarioWorld.address(number))
            }
        }.tells(
            Told.Verdict("limited", blame: "target", down: Set((1...count).map { "t\($0)" })),
            or: Told.Verdict("limited", blame: "target"), events: 1...3, within: 12)
        try await story.ends()
    }

    @Test("one target that redirects to its sign-on does not make a portal")
    func signOnRedirect() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("one target redirects to another site") {
            try world.set(.redirect(to: "http://sso.test/login"), of: ScenarioWorld.address(2))
        }.tells(Told.Verdict("limited", blame: "target", reason: "unexpected-status", down: ["t2"]), within: 8)
        try await story.ends()
    }

    @Test("a portal that leads all names to its own private address is told as one soon, and so is its end")
    func portalBehindNames() async throws {
        let world = try ScenarioWorld()
        try world.setNames(.hijack(to: "10.0.0.1"))
        try world.set(.redirect(to: "http://login.test/"), of: "all")
        let targets = (1...3).map { ScenarioWorld.Target("t\($0)", "http://t\($0).test/", #""public": true"#) }
        let story = try world.watch(targets)
        try await story.tells(
            Told.Verdict("portal", blame: "uplink", down: []), or: Told.Verdict("unknown"),
            Told.Verdict("limited", blame: "resolver", reason: "dns-hijack"), events: 3...3, within: 16)
        try await story.when("a person has signed in") {
            try world.setNames(.well)
            try world.set(.well, of: "all")
        }.tells(.full, within: 12)
        try await story.ends()
    }
}
