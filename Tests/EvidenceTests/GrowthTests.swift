import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

@Suite("What comes from outside is not kept for ever")
struct GrowthTests {
    private var now = MonotonicTime(nanoseconds: 1_000_000_000_000)

    @Test("a name server that tells other addresses each time leaves no more than a few hundred hosts behind")
    mutating func addresses() {
        var model = Assessor(Settings(targets: [Watched(name: "a.test", interval: .seconds(1))]), at: now, seed: 1)
        let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
        var asks = model.reduce(.network(Self.network(way)), at: now).asks
        var number: UInt32 = 0
        for _ in 0..<20_000 {
            now = now.advanced(by: .milliseconds(250))
            var next: [Ask] = []
            for ask in asks {
                switch ask.question {
                case .name:
                    number += 1
                    let answer = Answer.addresses([Self.address(number)], lifetime: .zero)
                    next += model.reduce(.ended(ask.id, answer), at: now).asks
                case .probe(_, let addresses):
                    next += answer(ask, at: addresses[0], by: way, &model)
                case .touch(let host, _):
                    next += answer(ask, at: host.address, by: way, &model)
                }
            }
            asks = next + model.reduce(.timer, at: now).asks
        }
        #expect(number > 3000)
        #expect(model.hosts.count < 600)
        #expect(model.hosts.allSatisfy { $0.targets.count <= 1 })
        #expect(model.verdict?.status == .full)
    }

    @Test("routers that come and go leave no more than a few dozen ways behind, and what is known is of the last one")
    mutating func routers() {
        let address = Self.address(7)
        var model = Assessor(
            Settings(targets: [Watched(addresses: [address], interval: .seconds(1))]), at: now, seed: 1)
        for number in UInt32(1)...3000 {
            now = now.advanced(by: .milliseconds(100))
            let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: number)))
            var asks = model.reduce(.network(Self.network(way)), at: now).asks
            while let ask = asks.popLast() { asks += answer(ask, at: address, by: way, &model) }
            #expect(model.health(of: 0).status == .up)
        }
        #expect(model.ways.count < 80)
        #expect(model.hosts.count < 600)
    }

    @Test("a router that is back after many others is one way, and the only one that leads out")
    mutating func firstRouter() {
        let address = Self.address(7)
        var model = Assessor(
            Settings(targets: [Watched(addresses: [address], interval: .seconds(1))]), at: now, seed: 1)
        for number in Array(UInt32(1)...60) + [1] {
            now = now.advanced(by: .milliseconds(100))
            let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: number)))
            var asks = model.reduce(.network(Self.network(way)), at: now).asks
            while let ask = asks.popLast() { asks += answer(ask, at: address, by: way, &model) }
            #expect(model.ways.count { $0.isPresent && $0.reachesAll } == 1, "router \(number)")
        }
    }

    @Test("a probe that has ended leaves nothing behind for long, however late it would have been given up")
    mutating func endedProbes() {
        let address = Self.address(7)
        var settings = Settings(targets: [Watched(addresses: [address], interval: .seconds(1))])
        settings.staleIntervals = 1_000_000
        var model = Assessor(settings, at: now, seed: 1)
        let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
        var asks = model.reduce(.network(Self.network(way)), at: now).asks
        for _ in 0..<10_000 {
            now = now.advanced(by: .milliseconds(250))
            while let ask = asks.popLast() { asks += answer(ask, at: address, by: way, &model) }
            asks += model.reduce(.timer, at: now).asks
        }
        #expect(model.dueQueue.count < 200, "\(model.dueQueue.count)")
    }

    @Test(
        "a target that is asked out of turn leaves no turns behind, however far off the next one is",
        arguments: [0, 0.1])
    mutating func turnsPutOff(jitter: Double) {
        let address = Self.address(7)
        var settings = Settings(targets: [Watched(addresses: [address], interval: .seconds(31_536_000))])
        settings.jitter = jitter
        var model = Assessor(settings, at: now, seed: 1)
        let way = Way(interface: "eth0", gateway: .v4(IPv4Address(rawValue: 1)))
        var asks = model.reduce(.network(Self.network(way)), at: now).asks
        var count = 0
        for _ in 0..<3000 {
            now = now.advanced(by: .seconds(1))
            while let ask = asks.popLast() {
                if case .probe = ask.question { count += 1 }
                asks += answer(ask, at: address, by: way, &model)
            }
            asks += model.reduce(.requested, at: now).asks
        }
        #expect(count > 2000 && model.health(of: 0).status == .up)
        #expect(model.dueQueue.count < 400, "\(model.dueQueue.count)")
    }

    /// A host's answer as expected, at once.
    private func answer(_ ask: Ask, at address: IPAddress, by way: Way, _ model: inout Assessor) -> [Ask] {
        var asks = model.reduce(.sent(ask.id, Host(address: address, way: way)), at: now).asks
        asks += model.reduce(.heard(ask.id, address, after: .milliseconds(1)), at: now).asks
        return asks + model.reduce(.ended(ask.id, .expected), at: now).asks
    }

    private static func network(_ way: Way) -> Network {
        Network(ways: [Network.Course(way, reachesAll: true)], nameServers: [address(1)])
    }

    private static func address(_ number: UInt32) -> IPAddress { .v4(IPv4Address(rawValue: 0xC633_0000 &+ number)) }
}
