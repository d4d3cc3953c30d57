import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("What a login leaves behind")
struct PortalLoginTests {
    private static let secure = [
        IPAddress.v6(IPv6Address(rawValue: 0x2001_0db8 << 96 | 1)), .v4(IPv4Address(rawValue: 0xC633_6401)),
    ]
    private static let plain = IPAddress.v4(IPv4Address(rawValue: 0xC633_6402))
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private var model: Assessor
    /// Whether a portal stands that answers plain HTTP of IPv4, and drops all else.
    private var isPortal = false
    private var isVersion6Dropped = false
    private var open: [(ask: Ask, addresses: [IPAddress], since: MonotonicTime)] = []
    private var told: [Verdict] = []
    /// How often the portal was looked at.
    private var looks = 0

    init() {
        var target = Watched(addresses: Self.secure, interval: .seconds(5))
        target.transport = .secure
        var witness = Watched(role: .witness, addresses: [Self.plain])
        (witness.transport, witness.hasKnownAnswer) = (.plainHTTP, true)
        model = Assessor(Settings(targets: [target, witness]), at: now, seed: 1)
    }

    @Test("IPv6 that a portal has let nothing through of is not told to be dead once a person has logged in")
    mutating func otherFamily() {
        begin()
        (isPortal, isVersion6Dropped) = (true, true)
        live(.seconds(30))
        #expect(model.verdict == Verdict(.portal, .uplink, .portal))
        #expect(model.deadFamily == .ipv6)
        isPortal = false
        for _ in 0..<300 where model.verdict?.status == .portal { live(.milliseconds(100)) }
        isVersion6Dropped = false
        live(.seconds(30))
        #expect(told == [Verdict(.full), Verdict(.portal, .uplink, .portal), Verdict(.full)])
        #expect(model.deadFamily == nil)
    }

    @Test("a portal that the built-in reference has shown is one under another configuration, too")
    mutating func reload() {
        begin()
        isPortal = true
        live(.seconds(30))
        #expect(model.verdict == Verdict(.portal, .uplink, .portal))
        model = Assessor(model.settings, adopting: model, places: [0, nil], at: now)
        open = []
        told = []
        #expect(model.health(of: 0) == Health(.unknown, .uplink, .portal))
        live(.seconds(15))
        #expect(model.verdict == Verdict(.portal, .uplink, .portal))
        #expect(told.isEmpty, "\(told)")
        isPortal = false
        live(.seconds(30))
        #expect(told == [Verdict(.full)])
    }

    @Test("a portal is looked at each ten seconds, however often the host's own traffic had it looked at before")
    mutating func pace() {
        begin()
        isPortal = true
        live(.seconds(10))
        #expect(model.verdict?.status == .portal)
        for _ in 0..<60 {
            take(model.reduce(.trafficHeard(Self.way(Self.plain), sentAt: now), at: now))
            live(.seconds(1))
        }
        let before = looks
        live(.seconds(100))
        #expect((9...11).contains(looks - before), "\(looks - before) looks in 100 s")
    }

    /// Both ways are there, and all that is asked answers.
    private mutating func begin() {
        let courses = Self.secure.map { Network.Course(Self.way($0), reachesAll: true) }
        take(model.reduce(.network(Network(ways: courses)), at: now))
        live(.seconds(30))
    }

    private static func way(_ address: IPAddress) -> Way {
        let gateway: IPAddress =
            address.family == .ipv6 ? .v6(IPv6Address(rawValue: 1)) : .v4(IPv4Address(rawValue: 1))
        return Way(interface: "eth0", gateway: gateway, family: address.family)
    }

    private mutating func live(_ time: Duration) {
        let end = now.advanced(by: time)
        while now < end {
            now = now.advanced(by: .milliseconds(100))
            for one in open { answer(one.ask, one.addresses) }
            for one in open where one.since.advanced(by: one.ask.timeout) <= now { miss(one.ask, one.addresses) }
            take(model.reduce(.timer, at: now))
        }
    }

    private mutating func answer(_ ask: Ask, _ addresses: [IPAddress]) {
        guard let address = addresses.first(where: isHeard) else { return }
        take(model.reduce(.heard(ask.id, address, after: .milliseconds(20)), at: now))
        finish(ask, isPortal ? .elsewhere : .expected)
    }

    private func isHeard(_ address: IPAddress) -> Bool {
        isPortal ? address == Self.plain : address.family == .ipv4 || !isVersion6Dropped
    }

    private mutating func miss(_ ask: Ask, _ addresses: [IPAddress]) {
        for address in addresses { take(model.reduce(.missed(ask.id, address, .silent), at: now)) }
        finish(ask, .nothing)
    }

    private mutating func finish(_ ask: Ask, _ answer: Answer) {
        open.removeAll { $0.ask.id == ask.id }
        take(model.reduce(.ended(ask.id, answer), at: now))
    }

    /// Sends what is asked for.
    private mutating func take(_ output: Assessor.Output) {
        open.removeAll { output.cancelled.contains($0.ask.id) }
        if let announcement = output.announcement, announcement.verdict != told.last {
            told.append(announcement.verdict)
        }
        for ask in output.asks {
            let addresses: [IPAddress]
            switch ask.question {
            case .probe(let target, let own):
                addresses = own
                if target == 1 { looks += 1 }
            case .touch(let host, _): addresses = [host.address]
            case .name: continue
            }
            open.append((ask, addresses, now))
            for address in addresses {
                take(model.reduce(.sent(ask.id, Host(address: address, way: Self.way(address))), at: now))
            }
        }
    }
}
