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
}
