import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("What an outage leaves behind")
struct OutageTests {
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
    private var model: Assessor
    /// What is under way, since when.
    private var open: [(ask: Ask, address: IPAddress, since: MonotonicTime)] = []
    /// What a host that is heard answers.
    private var answer = Answer.expected
    /// Hosts that are not heard.
    private var silent: Set<IPAddress> = []
    /// Targets that are silent at a host that may be heard.
    private var hung: Set<Int> = []
    private var told: [Announcement] = []
    /// How often a name was asked for, which is never found.
    private var lookUps = 0

    init() {
        let targets = (1...3).map { (number: UInt32) in
            Watched(addresses: [.v4(IPv4Address(rawValue: 0xC633_6400 + number))], interval: .seconds(1))
        }
        model = Assessor(Settings(targets: targets), at: now, seed: 1)
    }

    @Test("a host is as late as before once a way is back, whatever came of what was asked of the dead way")
    mutating func lateness() {
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(10), answered: true)
        #expect(model.verdict?.status == .full)
        let before = model.hosts.map(\.usual.lateness)
        live(.seconds(15), answered: false)
        #expect(model.verdict?.status == .local)
        // The kernel's second SYN gets through, and so does what was asked last.
        now = now.advanced(by: .seconds(1))
        for one in open { hear(one.ask, one.address, after: one.since.duration(to: now)) }
        live(.seconds(3), answered: true)
        #expect(model.verdict?.status == .full)
        #expect(model.hosts.map(\.usual.lateness) == before)
    }

    @Test("once a way has come back the next outages of five seconds are told, however seldom its targets are asked")
    mutating func series() {
        let targets = (1...3).map { (number: UInt32) in
            Watched(addresses: [.v4(IPv4Address(rawValue: 0xC633_6400 + number))], interval: .seconds(60))
        }
        model = Assessor(Settings(targets: targets), at: now, seed: 1)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(30), answered: true)
        live(.seconds(15), answered: false)
        #expect(model.verdict?.status == .local)
        live(.seconds(10), answered: true)
        for _ in 0..<6 {
            #expect(model.verdict?.status == .full)
            live(.seconds(5), answered: false)
            #expect(model.verdict?.status == .local)
            live(.seconds(10), answered: true)
        }
    }

    @Test("a target that was down and up again and again and is well is told to be, though nothing else happens")
    mutating func rest() {
        let target = Watched(addresses: [.v4(IPv4Address(rawValue: 0xC633_6401))], interval: .seconds(1))
        model = Assessor(Settings(targets: [target]), at: now, seed: 1)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        answer = .wrong(.unexpected)
        live(.seconds(16), answered: true)
        for answer in [Answer.expected, .wrong(.unexpected), .expected, .wrong(.unexpected), .expected] {
            self.answer = answer
            live(.seconds(4), answered: true)
        }
        #expect(model.verdict?.status == .limited)
        live(.seconds(8), answered: true)
        #expect(model.verdict?.status == .full)
    }

    @Test("a target that is down after sixty misses in a row is down after as many")
    mutating func patience() {
        let target = Watched(addresses: [.v4(IPv4Address(rawValue: 0xC633_6401))], interval: .seconds(1), fall: 60)
        model = Assessor(Settings(targets: [target]), at: now, seed: 1)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(5), answered: true)
        answer = .wrong(.unexpected)
        live(.seconds(55), answered: true)
        #expect(model.verdict?.status == .full)
        live(.seconds(20), answered: true)
        #expect(model.verdict == Verdict(.limited, .target, .targetsFailed))
    }

    @Test(
        "a server that falls silent while one of its targets is being asked is one event of all its targets",
        arguments: [500, 1500, 2900, 9000])
    mutating func sharedServer(delay: Int) throws {
        let (server, other) = (IPv4Address(rawValue: 0xC633_6401), IPv4Address(rawValue: 0xC633_6402))
        let targets = [server, server, server, other].map { Watched(addresses: [.v4($0)], interval: .seconds(5)) }
        model = Assessor(Settings(targets: targets), at: now, seed: 1)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(20), answered: true)
        #expect(model.verdict?.status == .full)
        told = []

        silent = [.v4(server)]
        while !open.contains(where: { $0.address == .v4(server) }) { live(.milliseconds(100), answered: true) }
        let connected = try #require(open.first { $0.address == .v4(server) })
        take(model.reduce(.heard(connected.ask.id, connected.address, after: .milliseconds(20)), at: now))
        live(.milliseconds(delay), answered: true)
        if open.contains(where: { $0.ask.id == connected.ask.id }) { finish(connected.ask, .wrong(.unanswered)) }
        live(.seconds(30), answered: true)
        #expect(told.map(\.verdict.status) == [.limited])
        #expect(told.first.map { Set($0.changes.map(\.target)) } == [0, 1, 2])
    }

    @Test(
        "a target that hangs, and then takes no connection either, takes none along that is well at the same address",
        arguments: UInt64(1)...8)
    mutating func hungBesideWell(seed: UInt64) {
        let (server, other) = (IPv4Address(rawValue: 0xC633_6401), IPv4Address(rawValue: 0xC633_6402))
        let targets = [server, server, other].map { Watched(addresses: [.v4($0)], interval: .seconds(5)) }
        model = Assessor(Settings(targets: targets), at: now, seed: seed)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(20), answered: true)
        while isUnderWay(1) || !isUnderWay(0) { live(.milliseconds(100), answered: isUnderWay(1)) }
        hung = [0]
        told = []
        for one in open where isHung(one.ask) {
            take(model.reduce(.heard(one.ask.id, one.address, after: .milliseconds(20)), at: now))
            finish(one.ask, .wrong(.unanswered))
        }
        live(.seconds(40), answered: true)
        #expect(told.map { $0.changes.map(\.target) } == [[0]])
    }

    private func isHung(_ ask: Ask) -> Bool {
        if case .probe(let target, _) = ask.question { hung.contains(target) } else { false }
    }

    private func isUnderWay(_ target: Int) -> Bool {
        open.contains { if case .probe(target, _) = $0.ask.question { true } else { false } }
    }

    @Test("a portal's witness whose name was not found in one outage is asked in the next")
    mutating func witness() {
        var target = Watched(addresses: [.v4(IPv4Address(rawValue: 0xC633_6401))], interval: .seconds(1))
        target.transport = .secure
        var witness = Watched(role: .witness, name: "portal.test", interval: .seconds(60))
        witness.transport = .plainHTTP
        model = Assessor(Settings(targets: [target, witness]), at: now, seed: 1)
        var network = Network(ways: [Network.Course(way, reachesAll: true)])
        network.asksEachServer = false
        take(model.reduce(.network(network), at: now))
        for _ in 0..<3 {
            live(.seconds(10), answered: true)
            let before = lookUps
            live(.seconds(10), answered: false)
            #expect(lookUps > before)
        }
    }

    private mutating func live(_ time: Duration, answered: Bool) {
        let end = now.advanced(by: time)
        while now < end {
            now = now.advanced(by: .milliseconds(100))
            for one in open where answered && !silent.contains(one.address) && !isHung(one.ask) {
                hear(one.ask, one.address, after: .milliseconds(20))
            }
            for one in open where one.since.advanced(by: one.ask.timeout) <= now {
                take(model.reduce(.missed(one.ask.id, one.address, .silent), at: now))
                finish(one.ask, .nothing)
            }
            take(model.reduce(.timer, at: now))
        }
    }

    private mutating func hear(_ ask: Ask, _ address: IPAddress, after: Duration) {
        take(model.reduce(.heard(ask.id, address, after: after), at: now))
        finish(ask, answer)
    }

    private mutating func finish(_ ask: Ask, _ answer: Answer) {
        open.removeAll { $0.ask.id == ask.id }
        take(model.reduce(.ended(ask.id, answer), at: now))
    }

    /// Sends what is asked for.
    private mutating func take(_ output: Assessor.Output) {
        open.removeAll { output.cancelled.contains($0.ask.id) }
        told += [output.announcement].compactMap(\.self)
        for ask in output.asks {
            let address: IPAddress
            switch ask.question {
            case .probe(_, let addresses): address = addresses[0]
            case .touch(let host, _): address = host.address
            case .name:
                lookUps += 1
                take(model.reduce(.ended(ask.id, .noAddress(.nameServerSilent)), at: now))
                continue
            }
            open.append((ask, address, now))
            take(model.reduce(.sent(ask.id, Host(address: address, way: way)), at: now))
        }
    }
}
