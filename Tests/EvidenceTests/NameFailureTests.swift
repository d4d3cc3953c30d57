import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("While no name is found")
struct NameFailureTests {
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
    private var model: Assessor
    private var isFound = true
    /// A name that alone is not found.
    private var missing: String?
    /// What names begin with that are not found.
    private var missingPrefix: String?
    private var lookedUp = 0
    private var told: [Verdict] = []

    init() {
        model = Assessor(Self.settings, at: now, seed: 1)
    }

    @Test("another name server that finds none, either, is no reason to call anything well")
    mutating func otherServer() {
        fail()
        take(model.reduce(.network(network(server: 2)), at: now))
        live(.seconds(20))
        #expect(told.allSatisfy { $0.status == .limited }, "\(told)")
        #expect(model.verdict == Verdict(.limited, .resolver, .nameServerFailed))
    }

    @Test("nor is another configuration of the same targets")
    mutating func reload() {
        fail()
        model = Assessor(Self.settings, adopting: model, places: [0, 1, 2], at: now)
        #expect(model.health(of: 0) == Health(.down, .resolver, .nameServerFailed))
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(20))
        #expect(told.allSatisfy { $0.status == .limited }, "\(told)")
        isFound = true
        live(.seconds(90))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("the return of one name brings back all its targets, also one that is asked once a day")
    mutating func allTargets() {
        let targets = [("a.test", 5), ("a.test", 86_400), ("bb.test", 5)].map {
            Watched(name: $0.0, interval: .seconds($0.1))
        }
        model = Assessor(Settings(targets: targets), at: now, seed: 1)
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        missing = "a.test"
        live(.seconds(120))
        #expect(model.health(of: 1) == Health(.down, .target, .nameNotFound))
        missing = nil
        live(.seconds(120))
        #expect(model.health(of: 1) == Health(.up))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("of more than fifty names that are not found each is told, and none stays as it was")
    mutating func manyNames() {
        let names = (1...60).map { "x.\(String(repeating: "a", count: $0)).test" } + ["good.test"]
        model = Assessor(Settings(targets: names.map { Watched(name: $0, interval: .seconds(30)) }), at: now, seed: 1)
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        missingPrefix = "x."
        live(.seconds(120))
        #expect((0..<60).allSatisfy { model.health(of: $0).status == .down })
        #expect(model.health(of: 60) == Health(.up))
    }

    @Test("a name that alone is not found costs no more than its targets' turns after a while, and asks for no others")
    mutating func thrift() {
        model = Assessor(
            Settings(targets: ["a.test", "bb.test", "ccc.test"].map { Watched(name: $0, interval: .seconds(1800)) }),
            at: now, seed: 1)
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(60))
        missing = "a.test"
        live(.seconds(3600))
        #expect(model.health(of: 0) == Health(.down, .target, .nameNotFound))
        lookedUp = 0
        live(.seconds(7200))
        #expect((4...20).contains(lookedUp), "\(lookedUp)")
        missing = nil
        live(.seconds(1800))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("the return of a name server that knew none of many names is seen in seconds, and not at their next turn")
    mutating func returnOfMany() {
        let names = (1...8).map { "\(String(repeating: "a", count: $0)).test" }
        model = Assessor(Settings(targets: names.map { Watched(name: $0, interval: .seconds(3600)) }), at: now, seed: 1)
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        isFound = false
        live(.seconds(3600))
        #expect(model.verdict == Verdict(.limited, .resolver, .nameServerFailed))
        isFound = true
        live(.seconds(10))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("names that nobody answers for keep no target from being asked, and few are asked for at one time")
    mutating func silentNames() {
        let names = (1...60).map { Watched(name: "x\($0).test", interval: .seconds(5)) }
        let known = (1...5).map { Watched(addresses: [Self.address(UInt32($0))], interval: .seconds(5)) }
        var settings = Settings(targets: names + known)
        settings.limit = 8
        model = Assessor(settings, at: now, seed: 1)
        var (open, probes, most) = ([Ask](), 0, 0)
        func take(_ output: Assessor.Output, _ test: inout Self) {
            open.removeAll { output.cancelled.contains($0.id) }
            var asks = output.asks
            while let ask = asks.popLast() {
                switch ask.question {
                case .name: open.append(ask)
                case .probe(_, let addresses):
                    probes += 1
                    asks += test.answers(to: ask, at: addresses[0])
                case .touch(let host, _): asks += test.answers(to: ask, at: host.address)
                }
            }
            most = max(most, open.count)
        }
        take(model.reduce(.network(network(server: 99)), at: now), &self)
        for _ in 0..<1200 {
            now = now.advanced(by: .milliseconds(100))
            for ask in open where ask.due.advanced(by: ask.timeout) <= now {
                open.removeAll { $0.id == ask.id }
                take(model.reduce(.ended(ask.id, .nothing), at: now), &self)
            }
            take(model.reduce(.timer, at: now), &self)
            if probes == 50 { take(model.reduce(.requested, at: now), &self) }
        }
        #expect(most <= 3 * 8, "\(most) names at one time")
        #expect(probes > 5 * 15, "\(probes) probes in two minutes")
    }

    private mutating func answers(to ask: Ask, at address: IPAddress) -> [Ask] {
        var asks = model.reduce(.sent(ask.id, Host(address: address, way: way)), at: now).asks
        asks += model.reduce(.heard(ask.id, address, after: .milliseconds(1)), at: now).asks
        return asks + model.reduce(.ended(ask.id, .expected), at: now).asks
    }

    /// All is well, and then no name is found.
    private mutating func fail() {
        take(model.reduce(.network(network(server: 1)), at: now))
        live(.seconds(130))
        #expect(model.verdict == Verdict(.full))
        isFound = false
        live(.seconds(130))
        #expect(model.verdict == Verdict(.limited, .resolver, .nameServerFailed))
        told = []
    }

    private mutating func live(_ time: Duration) {
        let end = now.advanced(by: time)
        while now < end {
            now = now.advanced(by: .milliseconds(100))
            take(model.reduce(.timer, at: now))
        }
    }

    /// All hosts answer at once.
    private mutating func take(_ output: Assessor.Output) {
        told += [output.announcement?.verdict].compactMap(\.self)
        for ask in output.asks {
            switch ask.question {
            case .probe(_, let addresses): answer(ask, at: addresses[0], .expected)
            case .touch(let host, _): answer(ask, at: host.address, .expected)
            case .name(let name, let server):
                let found = Answer.addresses([Self.address(UInt32(name.utf8.count))], lifetime: .seconds(30))
                lookedUp += 1
                let isMissing = name == missing || missingPrefix.map { name.hasPrefix($0) } ?? false
                let answer: Answer =
                    isMissing ? .noAddress(.nameNotFound) : isFound ? found : .noAddress(.nameServerFailed)
                self.answer(ask, at: server ?? Self.address(1), answer)
            }
        }
    }

    private mutating func answer(_ ask: Ask, at address: IPAddress, _ answer: Answer) {
        take(model.reduce(.sent(ask.id, Host(address: address, way: way)), at: now))
        take(model.reduce(.heard(ask.id, address, after: .milliseconds(1)), at: now))
        take(model.reduce(.ended(ask.id, answer), at: now))
    }

    private func network(server: UInt32) -> Network {
        Network(ways: [Network.Course(way, reachesAll: true)], nameServers: [Self.address(server)])
    }

    private static var settings: Settings {
        Settings(targets: ["a.test", "bb.test", "ccc.test"].map { Watched(name: $0, interval: .seconds(60)) })
    }

    private static func address(_ number: UInt32) -> IPAddress { .v4(IPv4Address(rawValue: 0xC633_6400 + number)) }
}
