import Glibc
import TestSupport
import Testing

extension Scenarios {
    @Test("certificates of several hosts that are not valid yet are the fault of the clock")
    func clockOff() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...3, plainly: 4...5)
        try await story.isWell()
        try await story.when("the certificates of three are of next year") { try world.certify(1...3, .notYetValid) }
            .tells(Told.Verdict("limited", blame: "self", reason: "clock", down: []), within: 6)
        try await story.when("they are of this year") { try world.certify(1...3, .valid) }.tells(.full, within: 8)
        try await story.ends()
    }

    @Test("a clock that is off is found by one certificate, where others are dated by a time at which it is valid")
    func clockOffByDate() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...1, plainly: 2...3)
        try await story.isWell()
        try await story.when("it is next year for all but this host") {
            try world.certify(1...1, .notYetValid)
            try world.set(.dated(days: 330), of: "all")
        }.tells(Told.Verdict("limited", blame: "self", reason: "clock", down: []), within: 6)
        try await story.when("it is this year for all") {
            try world.certify(1...1, .valid)
            try world.set(.well, of: "all")
        }.tells(.full, within: 8)
        try await story.ends()
    }

    @Test("certificates that end sooner than is asked for are their targets' fault, and not the clock's")
    func certificatesEndSoon() async throws {
        let world = try ScenarioWorld()
        let authority = try CertificateAuthority()
        world.authority = authority
        try world.certify(1...2, .endingSoon)
        let secure = (1...2).map { ScenarioWorld.Target("t\($0)", "https://t\($0).test/", #""certificateDays": 30"#) }
        let story = try world.watch(
            secure + ScenarioWorld.Target.numbers(3...4), #""caFile": "\#(authority.rootFile)""#)
        try await story.tells(
            Told.Verdict("limited", blame: "target", reason: "certificate-expired", down: ["t1", "t2"]),
            or: Told.Verdict("unknown"), Told.Verdict("limited", blame: "target"), events: 2...3, within: 6)
        try await story.ends()
    }

    @Test("one certificate that is not valid at the time of others either is its target's fault")
    func oneNotYetValid() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...1, plainly: 2...3)
        try await story.isWell()
        try await story.when("a certificate is of next year, and others are dated by next month") {
            try world.certify(1...1, .notYetValid)
            try world.set(.dated(days: 30), of: "all")
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "certificate-not-yet-valid", down: ["t1"]), within: 6)
        try await story.ends()
    }

    @Test("a dead uplink is told once a program that had no descriptors has some again, and so is its return")
    func descriptorsBackOnDeadUplink() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("no more descriptors may be opened") { try story.limitDescriptors(to: 8) }
            .tells(Told.Verdict("unknown", blame: "self", reason: "overloaded", down: []), within: 8)
        try await story.when("the upstream falls silent, and descriptors may be opened") {
            try world.cutUpstream()
            try story.limitDescriptors(to: 1024)
        }.tells(Told.Verdict("local", blame: "uplink", down: []), events: 1...2, within: 10)
        try await story.when("the upstream is back") { try world.restoreUpstream() }.tells(.full, within: 5.5)
        try await story.ends()
    }

    @Test("a program with few descriptors finds all targets well")
    func fewDescriptors() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...40), by: "ulimit -n 64")
        try await story.isWell()
        try await story.when("there are 64 descriptors for 40 targets") {}.tellsNothing(for: 6)
        try await story.ends()
    }

    @Test("a program that has too few descriptors for its probes blames itself, and none of its targets")
    func noDescriptors() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5), by: "ulimit -n 28")
        try await story.tellsOnly(
            Told.Verdict("limited", blame: "self", reason: "overloaded", down: []), or: Told.Verdict("unknown"),
            atMost: 4, for: 6)
        try await story.ends()
    }

    @Test("one certificate that has expired is its target's fault, and not the clock's")
    func oneExpired() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...3, plainly: 4...5)
        try await story.isWell()
        try await story.when("one certificate expires") { try world.certify(2...2, .expired) }
            .tells(
                Told.Verdict(
                    "limited", blame: "target", reason: "certificate-expired", down: ["t2"], words: "answered"),
                within: 6)
        try await story.ends()
    }

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

    @Test("one certificate of many servers that has expired is theirs, and not the clock's")
    func sharedCertificateExpired() async throws {
        let world = try ScenarioWorld()
        let story = try world.watchSecurely(1...4, plainly: 5...5)
        try await story.isWell()
        try await story.when("the certificate of three expires") {
            try world.certify(1...3, .expired, by: "shared.test")
        }.tells(
            Told.Verdict("limited", blame: "target", reason: "certificate-expired", down: ["t1", "t2", "t3"]),
            or: Told.Verdict("limited", blame: "target"), events: 1...3, within: 12)
        try await story.ends()
    }

    @Test("a program that was stopped for fifteen seconds tells that it has not looked, and blames nobody")
    func stopped() async throws {
        let world = try ScenarioWorld()
        let story = try world.watch(ScenarioWorld.Target.numbers(1...5))
        try await story.isWell()
        try await story.when("the program is stopped for 15 s") {
            story.send(SIGSTOP)
            try await Task.sleep(for: .seconds(15))
            story.send(SIGCONT)
        }.tells(.full, or: Told.Verdict("unknown"), events: 0...2, within: 20)
        try await story.ends()
    }
}
