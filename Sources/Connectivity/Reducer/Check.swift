internal import EventLoop
internal import NetworkAddress
internal import RequestCore

/// What a target's probes say now, after steadying.
enum Standing: Int, Hashable, Sendable, CaseIterable {
    /// No probe has ended on this path.
    case pending
    case up
    /// Nothing answers.
    case down
    /// The target's host answers that nobody listens there.
    case refused
    /// Something answers, and it is neither the expected answer nor a portal.
    case wrong
    case portal
    /// The target has no address of this family.
    case skipped
    /// This host may not ask it.
    case unasked

    /// Whether it shows that packets come back.
    var isHeard: Bool { self == .up || self == .refused || self == .wrong || self == .portal }
}

extension Standing {
    /// Whether it is neither well nor to be explained by this host's uplink alone.
    var isFailure: Bool { self == .down || self == .refused || self == .wrong }

    /// Whether nothing was sent, so that it says nothing of anything.
    var saysNothing: Bool { self == .skipped || self == .unasked }
}

/// One target under watch in one lane: its standing, its plan and its latest result.
struct Check: Sendable {
    let target: Target
    /// Its place in the reducer's targets and lanes.
    var targetIndex: Int
    var lane: Int
    let group: Tally.Group
    /// Whether its probes begin with a TLS handshake.
    let isSecure: Bool
    private(set) var standing = Standing.pending
    /// It has failed often enough to fall, and nobody else has been heard since to show that it is not the uplink.
    private(set) var isSuspect = false
    /// It was known before nobody answered any more, and has to rise again.
    private var isSuspended = false
    /// What was found has become too old.
    private(set) var isStale = false
    /// Whether it is on this host's own link, and so says nothing of what is behind the gateway.
    private(set) var isNear = false
    /// Whether it is noted when its result will be too old.
    var hasExpiry = false
    /// Results in a row that speak against the standing.
    private var contrary = 0
    /// Failures in a row, which decide how long the next probe waits.
    private(set) var failures = 0
    /// When the first of them ended.
    private(set) var failingSince: MonotonicTime?
    /// The lane's era in which it was found silent.
    var silentEra: Int?
    private(set) var result: ProbeResult?
    /// Of a target whose addresses are each probed.
    private(set) var addressStreaks = AddressStreaks()
    private(set) var due: MonotonicTime?
    /// Whether it is due in its turn, as one among many.
    private(set) var isFirst = false
    /// When it is due as long as nobody has asked for it sooner than its turn.
    var recheckDue: MonotonicTime?
    /// Whether it has not been planned yet.
    private(set) var isNew = true
    /// Whether its next wait is the one that draws it apart from the others.
    private var isToSpread = false
    var probe: Probe.ID?

    init(target: Target, targetIndex: Int, lane: Int) {
        self.target = target
        self.targetIndex = targetIndex
        self.lane = lane
        self.group = Tally.Group(target)
        isSecure = target.isSecure
    }

    /// Takes a result in. A first one counts at once; later ones need `rise` or `fall` in a row to turn the standing.
    /// Silence turns it only once a witness is heard, unless it has none.
    mutating func take(_ result: ProbeResult, rise: Int, fall: Int, needsWitness: Bool) {
        addressStreaks.take(result.addresses, fall: fall, isFirst: self.result == nil)
        self.result = result
        let seen = Standing(result)
        count(seen, at: result.endMonotonic)
        let isTurn = (seen == .up) != (standing == .up)
        contrary = isTurn ? contrary + 1 : 0
        let needed = seen == .up ? rise : target.role == .reference && target.retries == nil ? 1 : fall
        let isFirst = standing == .pending && !(isSuspended && seen == .up)
        guard isFirst || standing.saysNothing || seen.saysNothing || !isTurn || contrary >= needed else { return }
        if needsWitness, seen == .down, standing == .up || standing == .pending || standing == .portal {
            isSuspect = true
        } else {
            turn(to: seen)
        }
    }

    /// Where its latest answer came from, or would have; nil where that is not known, or is a proxy's.
    var address: IPAddress? { target.proxy == nil ? result?.remoteAddress : nil }

    /// Notes where its address is.
    mutating func place(isNear: Bool) {
        self.isNear = isNear
    }

    private mutating func count(_ seen: Standing, at time: MonotonicTime) {
        let isWell = seen == .up || seen.saysNothing
        failures = isWell ? 0 : failures + 1
        failingSince = isWell ? nil : failingSince ?? time
        if isWell { isSuspect = false }
    }

    private mutating func turn(to new: Standing) {
        standing = new
        isSuspended = false
        isStale = false
        contrary = 0
        isSuspect = false
    }

    /// Somebody else was heard after it had begun to fail: it has fallen.
    mutating func confirm() {
        if isSuspect { turn(to: .down) }
    }

    /// Plans the first probe of a new way, one among many that are all due.
    mutating func planFirst(at due: MonotonicTime, isToSpread: Bool) {
        self.due = due
        isFirst = true
        self.isToSpread = isToSpread
        isNew = false
    }

    /// Plans its next probe; nil for none.
    mutating func plan(at due: MonotonicTime?) {
        self.due = due
        isFirst = false
    }

    /// Notes that it is being probed.
    mutating func begin(_ probe: Probe.ID) {
        self.probe = probe
        plan(at: nil)
    }

    /// Tells once, and only while all is well, that the next wait is the one that draws it apart.
    mutating func takeSpread() -> Bool {
        guard failures == 0, isToSpread else { return false }
        isToSpread = false
        return true
    }

    /// Forgets what was found: the way is another one.
    mutating func forget() {
        turn(to: .pending)
        result = nil
        silentEra = nil
        isNear = false
        resetBackoff()
    }

    /// Time in which nobody answers says nothing about the target.
    mutating func suspend() {
        let wasKnown = standing != .pending || isSuspended
        turn(to: .pending)
        isSuspended = wasKnown
    }

    /// What was found is too old to say anything.
    mutating func expire() {
        suspend()
        isStale = true
        result = nil
    }

    /// Has the next failure count as the first.
    mutating func resetBackoff() {
        failures = 0
        failingSince = nil
    }
}

extension ProbeResult {
    /// Whether the transport connection was made, so that packets came back.
    var wasConnected: Bool { failedPhase == .tls || failedPhase == .processing || failedPhase == .transfer }
}

extension Standing {
    init(_ result: ProbeResult) {
        self =
            switch result.outcome {
            case .success: .up
            case .portal: .portal
            case .skipped where result.reason == .notPermitted: .unasked
            case .skipped: .skipped
            case .failure where result.reason == .overloaded: .unasked
            case .failure where result.statusCode != nil || result.wasConnected: .wrong
            case .failure where result.reason == .connectionRefused: .refused
            case .failure, .cancelled: .down
            }
    }
}
