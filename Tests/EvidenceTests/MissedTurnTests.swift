import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("Turns that come while there is no way")
struct MissedTurnTests {
    @Test(
        "a target that no route led to, or that did not apply, is asked again once there is a way again",
        arguments: [(Answer.noRoute, Health(.down, .path, .noRoute)), (.inapplicable, Health(.unknown))])
    func missed(answer: Answer, health: Health) {
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        let address = IPAddress.v4(IPv4Address(rawValue: 0xC633_6401))
        let well = Network(ways: [
            Network.Course(Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1))), reachesAll: true)
        ])
        var model = Assessor(
            Settings(targets: [Watched(addresses: [address], interval: .seconds(1))]), at: start, seed: 1)
        var asks = model.reduce(.network(well), at: start).asks
        for tenth in 1...50 {
            let now = start + .milliseconds(100 * tenth)
            let answered = asks
            asks = model.reduce(.timer, at: now).asks
            for ask in answered where isProbe(ask) { asks += model.reduce(.ended(ask.id, answer), at: now).asks }
        }
        #expect(model.health(of: 0) == health)

        _ = model.reduce(.network(Network(isReachable: false)), at: start + .seconds(6))
        for tenth in 61...90 { _ = model.reduce(.timer, at: start + .milliseconds(100 * tenth)) }
        asks = model.reduce(.network(well), at: start + .seconds(10)).asks
        for tenth in 101...120 { asks += model.reduce(.timer, at: start + .milliseconds(100 * tenth)).asks }
        #expect(asks.contains(where: isProbe))
    }

    @Test("a target that no route led to is asked at once by another path, not when its turn comes")
    func anotherPath() {
        let start = MonotonicTime(nanoseconds: 1_000_000_000_000)
        let address = IPAddress.v4(IPv4Address(rawValue: 0xC633_6401))
        let ways = (1...2).map {
            Network.Course(
                Way(interface: "eth\($0)", gateway: .v4(IPv4Address(rawValue: UInt32($0)))), reachesAll: true)
        }
        var model = Assessor(
            Settings(targets: [Watched(addresses: [address], interval: .seconds(600), fall: 1)]), at: start, seed: 1)
        var asks = model.reduce(.network(Network(ways: [ways[0]])), at: start).asks
        asks += model.reduce(.timer, at: start).asks
        for ask in asks where isProbe(ask) { _ = model.reduce(.ended(ask.id, .noRoute), at: start) }
        #expect(model.health(of: 0) == Health(.down, .path, .noRoute))

        let later = start + .seconds(10)
        asks = model.reduce(.network(Network(ways: ways)), at: later).asks
        asks += model.reduce(.timer, at: later).asks
        #expect(asks.contains(where: isProbe))
    }

    private func isProbe(_ ask: Ask) -> Bool {
        if case .probe = ask.question { true } else { false }
    }
}
