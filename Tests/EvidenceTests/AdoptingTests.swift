import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("Other targets, in the midst")
struct AdoptingTests {
    private let now = MonotonicTime(nanoseconds: 1_000_000_000_000)
    private let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))

    @Test("what was told of targets that are not watched any more is not told of those in their place")
    func replaced() {
        let old = known()
        #expect(old.verdict?.status == .full)
        let new = Assessor(settings(first: 10), adopting: old, places: [nil, nil, nil], at: now)
        #expect(new.verdict == nil)
        #expect(new.isIgnorant)
    }

    @Test("what was told goes on to be told where some of the targets are watched as before")
    func kept() {
        let new = Assessor(settings(first: 1), adopting: known(), places: [0, nil, nil], at: now)
        #expect(new.verdict?.status == .full)
    }

    /// One that has heard each of three targets.
    private func known() -> Assessor {
        var model = Assessor(settings(first: 1), at: now, seed: 1)
        var asks = model.reduce(.network(Network(ways: [Network.Course(way, reachesAll: true)])), at: now).asks
        asks += model.reduce(.requested, at: now).asks
        for ask in asks {
            guard case .probe(let target, _) = ask.question else { continue }
            let host = Host(address: address(1 + target), way: way)
            _ = model.reduce(.sent(ask.id, host), at: now)
            _ = model.reduce(.heard(ask.id, host.address, after: .milliseconds(20)), at: now + .milliseconds(20))
            _ = model.reduce(.ended(ask.id, .expected), at: now + .milliseconds(20))
        }
        return model
    }

    private func settings(first: Int) -> Settings {
        Settings(targets: (0..<3).map { Watched(addresses: [address(first + $0)], interval: .seconds(1)) })
    }

    private func address(_ number: Int) -> IPAddress { .v4(IPv4Address(rawValue: 0xC633_6400 + UInt32(number))) }
}
