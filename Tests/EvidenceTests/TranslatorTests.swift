import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("Where IPv4 is reached by a translator")
struct TranslatorTests {
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let way = Way(
        interface: "eth0", gateway: .v6(IPv6Address(rawValue: 0xFE80 << 112 | 1)), family: .ipv6)
    private static let prefix = UInt128(0x0064_FF9B) << 96
    private static let native = IPAddress.v6(IPv6Address(rawValue: 0x2606_4700 << 96 | 0x1111))
    /// Those that are silent.
    private var silent: Set<IPAddress> = []
    private var model: Assessor
    private var told: [Announcement] = []
    /// What is under way, since when.
    private var open: [(ask: Ask, address: IPAddress, since: MonotonicTime)] = []

    private static let targets = (1...20).map { (number: UInt128) in
        IPAddress.v6(IPv6Address(rawValue: prefix | 0xC633_6400 | number))
    }

    init() {
        let watched = Self.targets.map { Watched(addresses: [$0], interval: .seconds(2)) }
        let reference = Watched(role: .witness, addresses: [Self.native])
        model = Assessor(Settings(targets: watched + [reference]), at: now, seed: 1)
        take(model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now))
        live(.seconds(12))
    }

    @Test("one that is dead is the fault of the way, one event, and is taken back in one")
    mutating func dead() {
        #expect(model.verdict == Verdict(.full))
        silent = Set(Self.targets)
        live(.seconds(30))
        #expect(told.map(\.verdict) == [Verdict(.full), Verdict(.limited, .path, .silent)])
        #expect((0..<20).allSatisfy { model.health(of: $0) == Health(.unknown, .path, .silent) })
        silent = []
        live(.seconds(12))
        #expect(told.map(\.verdict.status) == [.full, .limited, .full])
    }

    @Test("targets behind it that are silent alone are at fault themselves")
    mutating func alone() {
        silent = Set(Self.targets.prefix(3))
        live(.seconds(30))
        #expect(model.verdict == Verdict(.limited, .target, .targetsFailed))
        #expect((0..<20).map { model.health(of: $0).status } == (0..<20).map { $0 < 3 ? .down : .up })
    }

    @Test("an uplink that is dead is not the translator's fault, and is one event")
    mutating func uplink() {
        silent = Set(Self.targets + [Self.native])
        live(.seconds(30))
        #expect(told.map(\.verdict) == [Verdict(.full), Verdict(.local, .uplink, .silent)])
        silent = []
        live(.seconds(12))
        #expect(told.map(\.verdict.status) == [.full, .local, .full])
    }

    private mutating func live(_ time: Duration) {
        let end = now.advanced(by: time)
        while now < end {
            now = now.advanced(by: .milliseconds(100))
            for one in open where !silent.contains(one.address) && !isTranslatedReference(one.address) {
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

    /// The network may not let through what the owner has not named.
    private func isTranslatedReference(_ address: IPAddress) -> Bool {
        address != Self.native && !Self.targets.contains(address)
    }

    private mutating func finish(_ ask: Ask, _ answer: Answer) {
        open.removeAll { $0.ask.id == ask.id }
        take(model.reduce(.ended(ask.id, answer), at: now))
    }

    /// Sends what is asked for.
    private mutating func take(_ output: Assessor.Output) {
        if let announcement = output.announcement { told.append(announcement) }
        open.removeAll { output.cancelled.contains($0.ask.id) }
        for ask in output.asks {
            let address: IPAddress
            switch ask.question {
            case .probe(_, let addresses): address = addresses[0]
            case .touch(let host, _): address = host.address
            case .name: continue
            }
            open.append((ask, address, now))
            take(model.reduce(.sent(ask.id, Host(address: address, way: way)), at: now))
        }
    }
}
