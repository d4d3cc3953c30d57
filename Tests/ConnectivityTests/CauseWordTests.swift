import NetworkAddress
import Reachability
import Testing

@testable import Connectivity

@Suite("The cause of news of several targets")
struct CauseWordTests {
    private static func event(_ targets: [(String, TargetHealth.Status)], othersUp: Bool = false) -> Event {
        let state = Event.State(reachability: .none, connectivity: .none, interfaces: [])
        var event = Event(
            seq: 2, kind: .target, time: 1, monotonic: 1, from: state, to: state,
            cause: Cause(kind: .probe, description: ""), path: .unknown)
        event.targets = targets.map { TargetHealth(target: $0.0, status: $0.1) }
        event.othersUp = othersUp
        return event
    }

    @Test("says which have come up or gone down, the worst first, and not what the verdict rests on")
    func words() {
        let one = Cause(evidenceFor: Self.event([("shop", .up)]))
        #expect(one.description == "shop is up")
        let several = Cause(evidenceFor: Self.event([("shop", .up), ("mail", .down), ("web", .up), ("dns", .unknown)]))
        #expect(several.description == "dns is not known; mail is down; shop and web are up")
    }

    @Test("names the first few of many, and says that all others are up")
    func many() {
        let thousand = (1...1000).map { ("t\($0)", TargetHealth.Status.down) }
        #expect(Cause(evidenceFor: Self.event(thousand)).description == "t1, t2, t3 and 997 more are down")
        #expect(Cause(evidenceFor: Self.event([], othersUp: true)).description == "all targets are up")
        let rest = Cause(evidenceFor: Self.event([("a", .down), ("b", .down)], othersUp: true))
        #expect(rest.description == "a and b are down; all others are up")
    }

    private static func limited(_ reason: ConnectivityReason?, _ uplinks: [UplinkVerdict]) -> String {
        let state = Event.State(reachability: .ethernet, connectivity: .limited, interfaces: ["eth0"])
        var event = Event(
            seq: 2, kind: .transition, time: 1, monotonic: 1, from: state, to: state,
            cause: Cause(kind: .probe, description: ""), path: .unknown)
        (event.reason, event.blame, event.uplinks) = (reason, .uplink, uplinks)
        return Cause(evidenceFor: event).description
    }

    private static func way(
        _ interface: String, _ connectivity: ConnectivityStatus, _ family: AddressFamily? = .ipv4,
        _ reason: ConnectivityReason? = nil, isActive: Bool = true
    ) -> UplinkVerdict {
        var way = UplinkVerdict(interface: interface, family: family, isActive: isActive, connectivity: connectivity)
        way.reason = reason
        return way
    }

    @Test("names the way that is dead, and the one that is well, and says of neither what is not so")
    func ways() {
        let legs = [Self.way("eth0", .full), Self.way("eth1", .local, .ipv4, .connectTimeout)]
        #expect(Self.limited(.legFailed, legs) == "nothing answers over eth1; eth0 is well")
        let families = [Self.way("eth0", .full), Self.way("eth0", .local, .ipv6)]
        #expect(Self.limited(.ipv6Failed, families) == "nothing answers by IPv6 over eth0; by IPv4 all is well")
        var route = [Self.way("", .full), Self.way("", .local, .ipv6)]
        for index in route.indices { route[index].interface = nil }
        #expect(Self.limited(.ipv6Failed, route) == "nothing answers by IPv6; by IPv4 all is well")
        let mixed = [
            Self.way("a", .full), Self.way("a", .full, .ipv6), Self.way("b", .full), Self.way("b", .local, .ipv6),
        ]
        #expect(Self.limited(.connectTimeout, mixed) == "nothing answers over b by IPv6; a and b by IPv4 are well")
        let both = [Self.way("eth0", .limited, nil, .ipv6Failed), Self.way("wwan0", .full, nil)]
        #expect(Self.limited(.ipv6Failed, both) == "nothing answers by IPv6 over eth0; wwan0 is well")
        let spare = [Self.way("eth0", .full), Self.way("wwan0", .portal, isActive: false)]
        #expect(Self.limited(.portal, spare) == "a portal answers in the place of others over wwan0; eth0 is well")
    }

    @Test("says of a single way that it loses, is slow or lacks a family only where it is so")
    func oneWay() {
        #expect(Self.limited(.lossy, [Self.way("eth0", .limited, .ipv4, .lossy)]) == "too much is lost over eth0")
        #expect(Self.limited(.slow, []) == "answers are much later than they used to be over eth0")
        #expect(Self.limited(.ipv6Failed, []) == "nothing answers by IPv6 over eth0")
        #expect(Self.limited(.secureFailed, []) == "plain HTTP is answered, and HTTPS is not, over eth0")
        #expect(Self.limited(.targetsFailed, []) == "some of what was asked does not answer over eth0")
    }
}
