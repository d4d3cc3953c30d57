internal import EventLoop

/// What a target's probes say now, after steadying.
enum Standing: Int, Hashable, Sendable, CaseIterable {
    /// No probe has ended on this path.
    case pending
    case up
    /// Nothing answers.
    case down
    /// Something answers, and it is neither the expected answer nor a portal.
    case wrong
    case portal
}

/// One target under watch: its standing, its plan and its latest result.
struct Check: Sendable {
    let target: Target
    let group: Tally.Group
    private(set) var standing = Standing.pending
    /// Results in a row that speak against the standing.
    private var contrary = 0
    /// Failures in a row, which decide how long the next probe waits.
    private(set) var failures = 0
    private(set) var result: ProbeResult?
    var due: MonotonicTime?
    var probe: Probe.ID?

    init(target: Target) {
        self.target = target
        self.group = Tally.Group(target)
    }

    /// Takes a result in. A first one counts at once; later ones need `rise` or `fall` in a row to turn the standing.
    mutating func take(_ result: ProbeResult, rise: Int, fall: Int) {
        self.result = result
        let seen = Standing(result)
        failures = seen == .up ? 0 : failures + 1
        let isTurn = (seen == .up) != (standing == .up)
        contrary = isTurn ? contrary + 1 : 0
        let needed = seen == .up ? rise : target.role == .reference ? 1 : fall
        guard standing == .pending || !isTurn || contrary >= needed else { return }
        standing = seen
        contrary = 0
    }

    /// Forgets what was found on another path.
    mutating func forget() {
        standing = .pending
        contrary = 0
        result = nil
    }

    /// Has the next failure count as the first.
    mutating func resetBackoff() {
        failures = 0
    }
}

extension Standing {
    init(_ result: ProbeResult) {
        self =
            switch result.outcome {
            case .success: .up
            case .portal: .portal
            case .failure, .cancelled: result.statusCode == nil ? .down : .wrong
            }
    }
}
