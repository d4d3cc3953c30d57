internal import Reachability

/// What was told last, and what it left a reader with.
struct EventLog: Sendable {
    private(set) var last: SharedEvent?
    /// What that event, and those before it, left a reader with.
    private(set) var told: Published?
    private(set) var lastSequence: UInt64
    /// Whether other targets are watched than those that were told.
    private var isReconfigured = false

    /// - Parameter lastSequence: The number of the last event of an earlier run, which the first event here follows.
    init(after lastSequence: UInt64) { self.lastSequence = lastSequence }

    /// Whether the next event tells everything: the first of a run, and the one after other targets are watched.
    var tellsAll: Bool { last == nil || isReconfigured }

    mutating func reconfigure() { isReconfigured = true }

    /// Takes note of an event that is to tell everything.
    mutating func noteAll(of event: Event) {
        told = Published(event)
        isReconfigured = false
    }

    /// Adds to an event what differs from what was told before; the kind stays `snapshot` where nothing does.
    mutating func tellChanges(_ targets: TargetNews, in event: inout Event) {
        guard let before = last?.event, let old = told else { return }
        let new = Published(event)
        if event.path != before.path { event.changes.insert(.path) }
        if new.uplinks != old.uplinks { event.changes.insert(.uplinks) }
        if new.captivePortal != old.captivePortal { event.changes.insert(.captivePortal) }
        (event.targets, event.probes) = (targets.named, targets.probes)
        (event.othersUp, event.othersUnknown) = (targets.othersUp, targets.othersUnknown)
        let kind = new.kind(after: old)
        event.kind =
            kind == .transition
            ? .transition : event.changes.contains(.path) ? .path : !targets.isEmpty ? .target : kind ?? .snapshot
        event.from = before.to
        told = new
    }

    /// Numbers an event, which is the last now.
    mutating func publish(_ event: consuming Event) -> SharedEvent {
        lastSequence += 1
        event.seq = lastSequence
        let shared = SharedEvent(event)
        last = shared
        return shared
    }
}
