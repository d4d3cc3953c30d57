import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("Where names lead")
struct MovedNameTests {
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let uplink = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
    private let tunnels = ["wg0", "wg1"].map { Way(interface: $0, gateway: nil, family: .ipv4) }
    private var model = Assessor(Settings(targets: []), at: MonotonicTime(nanoseconds: 0), seed: 1)
    private var open: [(ask: Ask, address: IPAddress, since: MonotonicTime)] = []
    private var leads: [String: IPAddress] = [:]
    /// Where a name leads besides.
    private var others: [String: [IPAddress]] = [:]
    private var silent: Set<IPAddress> = []
    private var told: [Announcement] = []
    /// What the name server says of all names.
    private var refusal: Reason?
    /// Names that it has no answer for.
    private var unanswered: Set<String> = []
    private var lookedUp: [String] = []
    private var probed: [Int] = []

    @Test("a server that dies takes none along at an address that its name has left before", arguments: UInt64(1)...8)
    mutating func innocent(seed: UInt64) {
        leads["www.test"] = Self.address(1)
        let others = [1, 2, 3, 4].map { Watched(addresses: [Self.address($0)], interval: .seconds(60)) }
        begin([Watched(name: "www.test", interval: .seconds(20))] + others, seed: seed)
        live(.seconds(90))
        leads["www.test"] = Self.address(2)
        live(.seconds(90))
        told = []
        silent = [Self.address(2)]
        live(.seconds(90))
        #expect(Set(told.flatMap { $0.changes.map(\.target) }) == [0, 2], "\(told)")
        #expect(model.health(of: 1) == Health(.up))
    }

    @Test("a name that leads by another tunnel is found there while the first is dead")
    mutating func otherTunnel() {
        loseTunnel()
        leads["git.test"] = Self.address(0x201)
        live(.seconds(120))
        #expect(model.health(of: 0) == Health(.up))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("a dead tunnel that a name leads by no more is no fault of the path's, were the name found elsewhere before")
    mutating func oneOfTwo() {
        loseTunnel()
        (leads["git.test"], others["git.test"]) = (Self.address(3), [Self.address(0x101)])
        live(.seconds(120))
        #expect(model.health(of: 0) == Health(.up))
        others = [:]
        live(.seconds(120))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("a name that leads to another server is found there, were the first one the only witness of the way")
    mutating func onlyWitness() {
        leads["www.test"] = Self.address(2)
        begin([Watched(name: "www.test", interval: .seconds(30))])
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        silent = [Self.address(2)]
        live(.seconds(120))
        #expect(model.verdict?.status != .full)
        leads["www.test"] = Self.address(3)
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("where nothing was ever heard and no name is found, only this network answers")
    mutating func nameless() {
        refusal = .nameServerFailed
        begin([Watched(name: "a.test", interval: .seconds(30)), Watched(name: "b.test", interval: .seconds(30))])
        live(.seconds(60))
        #expect(model.verdict == Verdict(.local, .unknown, .nobodyElse), "\(String(describing: model.verdict))")
        refusal = nil
        leads = ["a.test": Self.address(2), "b.test": Self.address(3)]
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("a check that is asked for asks at once for a name that is left alone for long")
    mutating func request() {
        leads = ["a.test": Self.address(2), "b.test": Self.address(3)]
        begin(["a.test", "b.test"].map { Watched(name: $0, interval: .seconds(3600)) })
        live(.seconds(60))
        leads["a.test"] = nil
        live(.seconds(3 * 3600))
        #expect(model.health(of: 0).status == .down)
        leads["a.test"] = Self.address(2)
        take(model.reduce(.requested, at: now))
        live(.seconds(3))
        #expect(model.verdict == Verdict(.full))
    }

    @Test("nothing is called well while a name leads from a dead tunnel to a server that is silent, too")
    mutating func fromBadToWorse() {
        loseTunnel(besides: .seconds(60))
        told = []
        silent.insert(Self.address(3))
        leads["git.test"] = Self.address(3)
        live(.seconds(120))
        #expect(told.allSatisfy { $0.verdict.status == .limited }, "\(told)")
        #expect(model.health(of: 0).status == .down)
    }

    @Test("while nothing leads out a few names are asked for, and not all of them again and again")
    mutating func thrift() {
        let names = (1...60).map { "t\($0).test" }
        for (number, name) in names.enumerated() { leads[name] = Self.address(number + 2) }
        begin(names.map { Watched(name: $0, interval: .seconds(30)) })
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        silent = Set(leads.values)
        refusal = .nameServerFailed
        live(.seconds(60))
        #expect(model.verdict?.status != .full)
        lookedUp = []
        live(.seconds(60))
        #expect(lookedUp.count <= 120, "\(lookedUp.count)")
        (silent, refusal) = ([], nil)
        live(.seconds(60))
        #expect(model.verdict == Verdict(.full))
        #expect(names.indices.allSatisfy { model.health(of: $0) == Health(.up) })
    }

    @Test("a name that alone has no answer makes no family dead that nothing is asked by")
    mutating func oneUnanswered() {
        leads["a.test"] = Self.address(2)
        unanswered = ["b.test"]
        let names = ["a.test", "b.test"].map { Watched(name: $0, interval: .seconds(30)) }
        begin(names, besides: [Network.Course(Way(interface: "eth0", family: .ipv6), reachesAll: true)])
        live(.seconds(60))
        #expect(model.verdict?.status == .limited)
        #expect(told.allSatisfy { $0.verdict.reason != .familyFailed }, "\(told)")
        #expect(model.health(of: 0) == Health(.up))
    }

    @Test("where there is no path, what no way leads to is neither looked up nor probed beside a dead tunnel")
    mutating func noPath() {
        leads["www.test"] = Self.address(2)
        model = Assessor(
            Settings(targets: [
                Watched(addresses: [Self.address(0x101)], interval: .seconds(10)),
                Watched(name: "www.test", interval: .seconds(10)),
                Watched(addresses: [Self.address(3)], interval: .seconds(10)),
            ]), at: now, seed: 1)
        silent = [Self.address(0x101)]
        var network = Network(isReachable: false, ways: [Network.Course(tunnels[0])])
        network.near = [0]
        take(model.reduce(.network(network), at: now))
        live(.seconds(120))
        #expect(lookedUp.isEmpty)
        #expect(Set(probed) == [0])
    }

    /// A name leads by a tunnel that dies, while another target is well over the uplink.
    private mutating func loseTunnel(besides interval: Duration = .seconds(30)) {
        leads["git.test"] = Self.address(0x101)
        begin([
            Watched(name: "git.test", interval: .seconds(30)),
            Watched(addresses: [Self.address(1)], interval: interval),
        ])
        live(.seconds(120))
        #expect(model.verdict == Verdict(.full))
        silent = [Self.address(0x101)]
        live(.seconds(120))
        #expect(model.verdict?.status == .limited)
    }

    private mutating func begin(_ targets: [Watched], besides others: [Network.Course] = [], seed: UInt64 = 1) {
        model = Assessor(Settings(targets: targets), at: now, seed: seed)
        let courses = [Network.Course(uplink, reachesAll: true)] + tunnels.map { Network.Course($0) } + others
        // The router itself finds the names.
        take(model.reduce(.network(Network(ways: courses, nameServers: [.v4(IPv4Address(rawValue: 1))])), at: now))
    }

    private mutating func live(_ time: Duration) {
        let end = now.advanced(by: time)
        while now < end {
            now = now.advanced(by: .milliseconds(100))
            for one in open where !silent.contains(one.address) {
                take(model.reduce(.heard(one.ask.id, one.address, after: .milliseconds(20)), at: now))
                finish(one.ask, .expected)
            }
            for one in open where one.since.advanced(by: one.ask.timeout) <= now {
                take(model.reduce(.missed(one.ask.id, one.address, .silent), at: now))
                finish(one.ask, .nothing)
            }
            take(model.reduce(.timer, at: now))
        }
    }

    private mutating func finish(_ ask: Ask, _ answer: Answer) {
        open.removeAll { $0.ask.id == ask.id }
        take(model.reduce(.ended(ask.id, answer), at: now))
    }

    private mutating func take(_ output: Assessor.Output) {
        open.removeAll { output.cancelled.contains($0.ask.id) }
        told += [output.announcement].compactMap(\.self)
        for ask in output.asks {
            let address: IPAddress
            switch ask.question {
            case .probe(let target, let addresses):
                address = addresses[0]
                probed.append(target)
            case .touch(let host, _): address = host.address
            case .name(let name, _):
                lookedUp.append(name)
                let found = leads[name].map {
                    Answer.addresses([$0] + others[name, default: []], lifetime: .seconds(5))
                }
                let reason = refusal ?? (unanswered.contains(name) ? .nameServerFailed : nil)
                let answer = reason.map(Answer.noAddress) ?? found ?? .noAddress(.nameNotFound)
                take(model.reduce(.ended(ask.id, answer), at: now))
                continue
            }
            open.append((ask, address, now))
            take(model.reduce(.sent(ask.id, Host(address: address, way: way(to: address))), at: now))
        }
    }

    private func way(to address: IPAddress) -> Way {
        switch address {
        case .v4(let address) where address.rawValue & 0xFFFF >= 0x6600: tunnels[1]
        case .v4(let address) where address.rawValue & 0xFFFF >= 0x6500: tunnels[0]
        default: uplink
        }
    }

    private static func address(_ number: Int) -> IPAddress {
        .v4(IPv4Address(rawValue: 0xC633_6400 + UInt32(number)))
    }
}
