import Reachability

@testable import Connectivity

/// What a reader knows who began with a snapshot and put what each later event tells in its place, as Documentation/Events.md
/// has it.
struct ReaderState: Equatable {
    private(set) var seq: UInt64
    private(set) var state: Event.State
    private(set) var reason: ConnectivityReason?
    private(set) var observed: ConnectivityStatus?
    private(set) var spare: String?
    private(set) var isSuspect: Bool
    private(set) var path: Path
    private(set) var uplinks: [UplinkVerdict]
    private(set) var captivePortal: CaptivePortal?
    private(set) var targets: [String: Word] = [:]

    /// What a target is, and why where it is down.
    struct Word: Equatable {
        var status: TargetHealth.Status
        var reason: ConnectivityReason?
        var blame: TargetHealth.Blame?

        init(_ status: TargetHealth.Status) { self.status = status }

        init(_ health: TargetHealth) {
            status = health.status
            guard status == .down else { return }
            (reason, blame) = (health.reason, health.blame)
        }
    }

    init(_ snapshot: Event) {
        seq = snapshot.seq
        state = snapshot.to
        isSuspect = false
        path = snapshot.path
        uplinks = []
        takeVerdict(snapshot)
        takeRest(snapshot)
    }

    mutating func take(_ event: Event) {
        if event.kind == .snapshot { self = ReaderState(event) }
        takeVerdict(event)
        takeRest(event)
    }

    private mutating func takeVerdict(_ event: Event) {
        seq = event.seq
        state = event.to
        reason = event.reason
        observed = event.observed
        spare = event.spare
        isSuspect = event.suspectMonotonic != nil
    }

    private mutating func takeRest(_ event: Event) {
        if event.changes.contains(.path) { path = event.path }
        if event.changes.contains(.uplinks) { uplinks = event.uplinks.map(\.withoutLooks) }
        if event.changes.contains(.captivePortal) {
            captivePortal = event.captivePortal
            captivePortal?.checkedMonotonic = nil
            captivePortal?.secondsRemaining = nil
            captivePortal?.userPortal = event.captivePortal?.userPortal.map {
                String($0.prefix { $0 != "?" && $0 != "#" })
            }
        }
        if event.othersUnknown { targets = targets.mapValues { _ in Word(.unknown) } }
        if event.othersUp { targets = targets.mapValues { _ in Word(.up) } }
        for health in event.targets { targets[health.target] = Word(health) }
    }
}

extension UplinkVerdict {
    /// Without the times that go on with each probe.
    fileprivate var withoutLooks: UplinkVerdict {
        var verdict = self
        verdict.checkedMonotonic = nil
        verdict.suspectMonotonic = nil
        return verdict
    }
}
