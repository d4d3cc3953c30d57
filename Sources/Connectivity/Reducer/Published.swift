internal import EventLoop
internal import Reachability

/// What the last event left a reader with, besides the path and the targets. Times at which something was looked at are not
/// among it: they go on without an event.
struct Published: Hashable, Sendable {
    var state: Event.State
    var observed: ConnectivityStatus?
    var reason: ConnectivityReason?
    var blame: TargetHealth.Blame?
    var isSuspect: Bool
    var spare: String?
    /// Where a person has to go.
    var portal: String?
    var captivePortal: CaptivePortal?
    var uplinks: [UplinkVerdict]

    init(_ event: Event) {
        state = event.to
        observed = event.observed
        reason = event.reason
        blame = event.blame
        isSuspect = event.suspectMonotonic != nil
        spare = event.spare
        portal = event.portal.map(Self.place)
        captivePortal = event.captivePortal
        captivePortal?.checkedMonotonic = nil
        captivePortal?.secondsRemaining = nil
        captivePortal?.userPortal = event.captivePortal?.userPortal.map(Self.place)
        uplinks = event.uplinks.map(\.withoutTimes)
    }

    /// What differs in the query alone is the same place: many portals make up another one for each request.
    private static func place(_ address: String) -> String {
        String(address.prefix { $0 != "?" && $0 != "#" })
    }

    /// The kind of an event that tells the difference; nil where there is none.
    func kind(after old: Published) -> Event.Kind? {
        if state != old.state { return .transition }
        if uplinks != old.uplinks || reason != old.reason || blame != old.blame || observed != old.observed
            || spare != old.spare
            || isSuspect != old.isSuspect
        {
            return .uplink
        }
        return portal != old.portal || captivePortal != old.captivePortal ? .portal : nil
    }
}

extension UplinkVerdict {
    fileprivate var withoutTimes: UplinkVerdict {
        var verdict = self
        verdict.checkedMonotonic = nil
        verdict.suspectMonotonic = suspectMonotonic.map { _ in .init(nanoseconds: 0) }
        return verdict
    }
}
