import Fleet
import Testing

/// A fleet in which each host is told of by hand.
private struct Fleet {
    static let epoch: UInt64 = 1_795_350_463
    var reducer: FleetReducer
    var now = 1_000_000.0
    private var seqs: [String: UInt64] = [:]

    init(_ settings: FleetReducer.Settings = .init()) {
        reducer = FleetReducer(settings)
    }

    static func name(_ site: String, _ number: Int) -> String { "\(site)-\(number)" }

    mutating func state(
        _ host: String, site: String? = nil, provider: String? = nil, medium: HostMedium = .ethernet,
        _ connectivity: Connectivity = .full, blame: String? = nil, targets: [(String, TargetStatus)] = []
    ) {
        let seq = (seqs[host] ?? 0) + 1
        seqs[host] = seq
        let site = site ?? String(host.prefix { $0 != "-" })
        var report = HostReport(.snapshot, epoch: Self.epoch, seq: seq, name: host, labels: ["site": site])
        if let provider { report.labels["provider"] = provider }
        report.medium = medium
        report.connectivity = connectivity
        report.blame = blame
        report.targets = targets.map { (name: $0.0, status: $0.1) }
        reducer.reduce(.presence(host, .online), at: now)
        reducer.reduce(.report(host, report, isRetained: false), at: now)
    }

    /// Hosts at sites, all well, all of which reach `api`.
    mutating func populate(_ sites: [String], hosts: Int, provider: ((String, Int) -> String)? = nil) {
        for site in sites {
            for number in 1...hosts {
                let host = Self.name(site, number)
                state(host, provider: provider?(site, number), targets: [("api", .up), ("shop", .up)])
            }
        }
    }

    mutating func cutOff(_ host: String) { reducer.reduce(.presence(host, .offline), at: now) }

    var sentences: [String] { reducer.findings(at: now).map { "\($0)" } }
}

@Suite("The level at which a fleet is broken")
struct FleetReducerTests {
    private static let sites = ["Bern", "Basel", "Chur", "Genf", "Sion"]

    private static func fleet(hosts: Int = 12) -> Fleet {
        var fleet = Fleet()
        fleet.populate(sites, hosts: hosts)
        return fleet
    }

    @Test("nothing is told of a fleet that is well, nor of one that nobody has heard of")
    func well() {
        #expect(Self.fleet().sentences == [])
        #expect(Fleet().sentences == [])
    }

    @Test("a target that most hosts miss is the target's fault, and no host is named beside it")
    func target() {
        var fleet = Self.fleet(hosts: 9)
        for site in Self.sites {
            for number in 1...9 where !(site == "Sion" && number < 3) {
                fleet.state(
                    Fleet.name(site, number), .limited, blame: "target", targets: [("api", .down), ("shop", .up)])
            }
        }
        #expect(fleet.sentences == ["api is down for 43 of 45 hosts at 5 sites"])
    }

    @Test("a target that one host misses is nobody's finding but that host's own")
    func targetForOne() {
        var fleet = Self.fleet()
        fleet.state("Bern-1", .limited, blame: "target", targets: [("api", .down), ("shop", .up)])
        #expect(fleet.sentences == [])
    }

    @Test("a target that one site misses is told of that site")
    func targetAtSite() {
        var fleet = Self.fleet()
        for number in 1...12 {
            fleet.state("Bern-\(number)", .limited, blame: "target", targets: [("api", .down), ("shop", .up)])
        }
        #expect(fleet.sentences == ["site Bern: api is down for 12 of 12 hosts, and up elsewhere"])
    }

    @Test("hosts whose own way is broken say nothing of a target")
    func blindHosts() {
        var fleet = Self.fleet()
        for number in 1...12 {
            fleet.state("Bern-\(number)", medium: .none, Connectivity.none, targets: [("api", .down), ("shop", .down)])
        }
        #expect(fleet.sentences == ["site Bern: 12 of 12 hosts are cut off or down"])
    }

    @Test("a site whose hosts are cut off is one finding, and so is a host alone")
    func site() {
        var fleet = Self.fleet()
        for number in 1...11 { fleet.cutOff("Bern-\(number)") }
        fleet.cutOff("Chur-7")
        #expect(
            fleet.sentences == ["site Bern: 11 of 12 hosts are cut off or down", "host Chur-7 is cut off"])
    }

    @Test("some hosts of a site are hosts alone")
    func hosts() {
        var fleet = Self.fleet()
        for number in 1...3 { fleet.cutOff("Bern-\(number)") }
        #expect(fleet.sentences == (1...3).map { "host Bern-\($0) is cut off" })
    }

    @Test("a provider that fails over sites is the provider, not the sites")
    func provider() {
        var fleet = Fleet()
        fleet.populate(Self.sites, hosts: 4) { site, _ in ["Bern", "Basel"].contains(site) ? "Alpnet" : "Other" }
        for site in ["Bern", "Basel"] { for number in 1...4 { fleet.cutOff(Fleet.name(site, number)) } }
        #expect(fleet.sentences == ["provider Alpnet: 8 of 8 hosts at 2 sites are cut off or down"])
    }

    @Test("a site that loses a medium and works on by another is told of its medium")
    func medium() {
        var fleet = Fleet()
        for number in 1...12 {
            fleet.state("Bern-\(number)", medium: .wwan)
            fleet.state("Chur-\(number)", medium: .wwan)
        }
        for number in 1...12 { fleet.state("Bern-\(number)", medium: .ethernet) }
        #expect(fleet.sentences == ["site Bern: 12 of 12 hosts lost wwan"])
        for number in 1...12 { fleet.state("Bern-\(number)", medium: .wwan) }
        #expect(fleet.sentences == [])
    }

    @Test("when nearly all are gone, the broker is looked at first")
    func everything() {
        var fleet = Self.fleet()
        for site in Self.sites { for number in 1...12 { fleet.cutOff(Fleet.name(site, number)) } }
        #expect(fleet.sentences.count == 1)
        #expect(fleet.sentences.first?.hasPrefix("60 of 60 hosts at 5 sites are cut off or down") == true)
    }

    @Test(
        "a last will is cut off, a broken way is down, three heartbeats without a word are stale, an end is none of them"
    )
    func conditions() {
        var fleet = Self.fleet()
        fleet.cutOff("Bern-1")
        fleet.state("Bern-2", .local)
        fleet.reducer.reduce(.presence("Bern-3", .stopped), at: fleet.now)
        fleet.now += 179
        #expect(fleet.sentences == ["host Bern-1 is cut off", "host Bern-2 is down"])
        for site in Self.sites {
            for number in 1...12 where (site, number) != ("Sion", 12) {
                if site == "Bern", number <= 3 { continue }
                fleet.state(Fleet.name(site, number))
            }
        }
        fleet.now += 2
        #expect(fleet.sentences.contains("host Sion-12 is stale"))
        let summary = fleet.reducer.siteSummaries(at: fleet.now).first { $0.site == "Bern" }
        #expect(summary?.count(.cutOff) == 1 && summary?.count(.stopped) == 1 && summary?.total == 12)
    }

    @Test("a state that the broker kept is as old as it says")
    func retained() {
        var fleet = Fleet()
        var report = HostReport(.snapshot, epoch: 1, seq: 4, name: "a", labels: [:])
        report.connectivity = .full
        report.medium = .wifi
        report.time = fleet.now - 181
        fleet.reducer.reduce(.report("a", report, isRetained: true), at: fleet.now)
        #expect(fleet.sentences == ["host a is stale"])
        fleet.reducer.reduce(.presence("a", .online, isRetained: true), at: fleet.now)
        #expect(fleet.sentences == ["host a is stale"], "a broker that was down has published no will")
        report.time = fleet.now + 99_999
        report.seq = 5
        fleet.reducer.reduce(.report("a", report, isRetained: true), at: fleet.now)
        fleet.now += 181
        #expect(fleet.sentences == ["host a is stale"], "a clock that is ahead keeps no host fresh")
    }

    @Test("a reader that was cut off itself takes nobody for stale before three heartbeats have passed")
    func resumption() {
        var fleet = Self.fleet()
        fleet.now += 10_000
        #expect(fleet.sentences.count == 1)
        fleet.reducer.reduce(.resumption, at: fleet.now)
        #expect(fleet.sentences == [])
        fleet.now += 181
        #expect(fleet.sentences.count == 1)
    }

    @Test("what comes twice, or late, is dropped by epoch and number")
    func repeats() {
        var fleet = Fleet()
        func report(_ epoch: UInt64, _ seq: UInt64, _ connectivity: Connectivity) -> HostReport {
            var report = HostReport(.change, epoch: epoch, seq: seq, name: "a")
            report.connectivity = connectivity
            report.medium = .wifi
            return report
        }
        fleet.reducer.reduce(.report("a", report(1, 5, .full), isRetained: false), at: fleet.now)
        for seq in [5, 3] as [UInt64] {
            fleet.reducer.reduce(.report("a", report(1, seq, .local), isRetained: false), at: fleet.now)
        }
        #expect(fleet.reducer.repeats == 2 && fleet.sentences == [])
        fleet.reducer.reduce(.report("a", report(2, 1, .local), isRetained: false), at: fleet.now)
        #expect(fleet.sentences == ["host a is down"])
    }

    @Test("what a host is now counts, also where its clock was set back and it counts from an earlier time")
    func clockBack() {
        var fleet = Self.fleet()
        var report = HostReport(.snapshot, epoch: Fleet.epoch - 5000, seq: 1, name: "Bern-1", labels: ["site": "Bern"])
        report.medium = .ethernet
        report.connectivity = .none
        fleet.reducer.reduce(.report("Bern-1", report, isRetained: false), at: fleet.now)
        #expect(fleet.sentences == [])
        fleet.reducer.reduce(.report("Bern-1", report, isRetained: false, isState: true), at: fleet.now)
        #expect(fleet.sentences.count == 1)
    }

    @Test("a reader whose clock was set back does not take silent hosts for well for as long")
    func readerClockBack() {
        var fleet = Self.fleet()
        fleet.now -= 3600
        fleet.reducer.reduce(.resumption, at: fleet.now)
        #expect(fleet.sentences == [])
        fleet.now += 600
        #expect(fleet.sentences.count == 1)
    }

    @Test("events change what a snapshot said, target by target")
    func changes() {
        var fleet = Self.fleet(hosts: 2)
        for site in Self.sites {
            for number in 1...2 {
                var report = HostReport(
                    .change, epoch: Fleet.epoch, seq: 2, name: Fleet.name(site, number), labels: ["site": site])
                report.medium = .ethernet
                report.connectivity = .limited
                report.blame = "target"
                report.targets = [(name: "shop", status: .down)]
                fleet.reducer.reduce(.report(report.name, report, isRetained: false), at: fleet.now)
            }
        }
        #expect(fleet.sentences == ["shop is down for 10 of 10 hosts at 5 sites"])
    }

    @Test("a host that is taken away is forgotten, and of too many nothing is kept")
    func bounds() {
        var settings = FleetReducer.Settings()
        settings.mostHosts = 3
        var fleet = Fleet(settings)
        for number in 1...5 { fleet.state("Bern-\(number)") }
        #expect(fleet.reducer.count == 3 && fleet.reducer.refused > 0)
        fleet.reducer.reduce(.removal("Bern-1"), at: fleet.now)
        fleet.cutOff("Bern-3")
        #expect(fleet.reducer.count == 2 && fleet.sentences == ["host Bern-3 is cut off"])
    }

    @Test("of too many names, and of too long ones, nothing is kept: such a site is none, such a target is left out")
    func names() {
        var settings = FleetReducer.Settings()
        settings.mostNames = 3
        var fleet = Fleet(settings)
        let long = String(repeating: "x", count: 513)
        for (number, site) in ["Bern", "Chur", "Sion", long].enumerated() {
            fleet.state(
                "host-\(number)", site: site, .limited, blame: "target",
                targets: [(long, .down), ("api", .up), ("shop", .down), ("wiki", .down)])
        }
        let summaries = fleet.reducer.siteSummaries(at: fleet.now).sorted { $0.site < $1.site }
        #expect(summaries.map(\.site) == ["", "Bern", "Chur"] && summaries.map(\.total) == [2, 1, 1])
        #expect(fleet.sentences == ["shop is down for 4 of 4 hosts at 3 sites"])
    }

    @Test("a host that tells of more targets than any has is known by the first of them, and each counts once")
    func mostTargets() {
        var fleet = Fleet()
        let many = (1...HostReport.mostTargets + 1).map { number in
            ("t\(number)", number > HostReport.mostTargets ? TargetStatus.down : TargetStatus.up)
        }
        for host in ["Bern-1", "Chur-1"] {
            fleet.state(host, .limited, blame: "target", targets: many)
            var report = HostReport(.change, epoch: Fleet.epoch, seq: 2, name: host)
            (report.medium, report.connectivity, report.blame) = (.ethernet, .limited, "target")
            report.targets = [(name: "news", status: .down), (name: "t1", status: .down)]
            fleet.reducer.reduce(.report(host, report, isRetained: false), at: fleet.now)
        }
        #expect(fleet.sentences == ["t1 is down for 2 of 2 hosts at 1 site"])
        var loud = Fleet()
        loud.populate(["Bern"], hosts: 3)
        loud.state(
            "Bern-1", .limited, blame: "target", targets: Array(repeating: ("api", TargetStatus.down), count: 20))
        #expect(loud.sentences == [])
    }

    @Test("any order of the same messages comes to the same findings", arguments: 1...20)
    func order(seed: Int) {
        var inputs: [(String, FleetReducer.Input)] = []
        for site in ["Bern", "Chur", "Sion"] {
            for number in 1...5 {
                let host = "\(site)-\(number)"
                var report = HostReport(.snapshot, epoch: 1, seq: 1, name: host, labels: ["site": site])
                report.connectivity = .full
                report.medium = .ethernet
                inputs.append((host, .report(host, report, isRetained: true)))
                inputs.append((host, .presence(host, site == "Bern" ? .offline : .online)))
            }
        }
        var generator = Generator(state: UInt64(seed))
        var reducer = FleetReducer()
        for (_, input) in inputs.shuffled(using: &generator) { reducer.reduce(input, at: 5) }
        #expect(reducer.findings(at: 5).map { "\($0)" } == ["site Bern: 5 of 5 hosts are cut off or down"])
    }

    private struct Generator: RandomNumberGenerator {
        var state: UInt64
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return state ^ (state >> 29)
        }
    }
}

@Suite("What a host's message tells")
struct HostReportTests {
    @Test("a state is read")
    func state() throws {
        let json = """
            {"schema":1,"seq":7,"time":"2026-11-21T08:41:03.500000Z","kind":"snapshot","epoch":5,"host":{"id":"0a","name":"r7",\
            "labels":{"site":"Bern"}},"reachability":"wwan","connectivity":"limited","interfaces":[],"blame":"target",\
            "targets":[{"target":"api","status":"down"},{"target":"shop","status":"up"}]}
            """
        let report = try #require(HostReport(json: Array(json.utf8)))
        #expect(report.kind == .snapshot && report.epoch == 5 && report.seq == 7 && report.name == "r7")
        #expect(report.labels == ["site": "Bern"] && report.medium == .wwan && report.connectivity == .limited)
        #expect(report.time == 1_795_250_463.5)
        #expect(report.targets.map(\.name) == ["api", "shop"] && report.targets.map(\.status) == [.down, .up])
    }

    @Test("of too many targets the first are read, and none whose name is too long")
    func bounds() throws {
        func text(_ names: [String]) -> String {
            let targets = names.map { #"{"target":"\#($0)","status":"up"}"# }.joined(separator: ",")
            return #"{"seq":7,"kind":"snapshot","epoch":5,"host":{"name":"r7"},"targets":[\#(targets)]}"#
        }
        let many = (0...HostReport.mostTargets).map { "\($0)" }
        let report = try #require(HostReport(json: Array(text(many).utf8)))
        #expect(report.targets.map(\.name) == Array(many.dropLast()))
        let names = [String(repeating: "x", count: 513), String(repeating: "y", count: 512)]
        let named = try #require(HostReport(json: Array(text(names).utf8)))
        #expect(named.targets.map(\.name) == [names[1]])
    }

    @Test(
        "what is no message of netwatch's is none",
        arguments: ["", "{}", "[]", "online", #"{"host":{"name":1}}"#, #"{"host":{"name":"a"},"kind":"snapshot"}"#])
    func none(text: String) {
        #expect(HostReport(json: Array(text.utf8)) == nil)
    }

    @Test("a gap and what is the case for all others are read")
    func others() throws {
        let gap =
            #"{"schema":1,"kind":"gap","epoch":5,"host":{"id":"0","name":"r7","labels":{}},"after":"5-1","upTo":"5-9"}"#
        #expect(HostReport(json: Array(gap.utf8))?.kind == .gap)
        let change =
            #"{"kind":"target","seq":2,"epoch":5,"host":{"name":"r7"},"othersUnknown":true,"targets":[]}"#
        #expect(HostReport(json: Array(change.utf8))?.others == .unknown)
    }
}
