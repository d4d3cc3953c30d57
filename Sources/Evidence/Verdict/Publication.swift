internal import EventLoop

/// When what is told: another verdict at once, more targets of the same blame now and then, flapping as one line.
struct Publication: Sendable {
    private(set) var told: Verdict?
    private(set) var sequence: UInt64
    private var batchAt: MonotonicTime?
    /// When the verdict changed lately.
    private var changes: [MonotonicTime] = []
    private var latest: Verdict?
    private(set) var isFlapping = false
    /// How often it has changed since flapping began.
    private var flaps = 0
    /// When news of targets that came too soon after others are told.
    private var due: MonotonicTime?

    enum Decision {
        case nothing
        case tell(Verdict, flaps: Int?)
        /// Come back then.
        case later(MonotonicTime)
    }

    init(sequence: UInt64) { self.sequence = sequence }

    /// The same for another assessor, which has planned nothing yet.
    init(continuing old: Publication) {
        self = old
        due = nil
    }

    /// Decides what to do with a verdict, and with targets whose state is another than was told.
    mutating func decide(_ verdict: Verdict, hasTargets: Bool, at now: MonotonicTime) -> Decision {
        if verdict != latest {
            if latest != nil { note(at: now) }
            latest = verdict
        }
        changes.removeAll { $0 + Rules.flapWindow <= now }
        if isFlapping { return endFlapping(verdict, hasTargets: hasTargets, at: now) }
        if verdict != told, changes.count > Rules.flaps {
            (isFlapping, flaps) = (true, changes.count)
            let held = [verdict, told].compactMap(\.self).min { $0.status < $1.status } ?? verdict
            return .tell(held, flaps: flaps)
        }
        if verdict != told { return .tell(verdict, flaps: nil) }
        guard hasTargets else { return .nothing }
        if let batchAt, batchAt + Rules.batch > now { return .later(batchAt + Rules.batch) }
        return .tell(verdict, flaps: nil)
    }

    /// Notes when there is to be a look again.
    ///
    /// - Returns: Whether that is another time than was planned.
    mutating func plan(_ time: MonotonicTime) -> Bool {
        defer { due = time }
        return due != time
    }

    /// What was told does not hold any more, and what holds is not known yet.
    mutating func forget() { told = nil }

    /// What made it change again and again is over.
    mutating func settle() { (isFlapping, flaps, changes) = (false, 0, []) }

    private mutating func note(at now: MonotonicTime) {
        changes.append(now)
        flaps += 1
        if changes.count > 64 { changes.removeFirst() }
    }

    /// When flapping is over, if it does not change again until then; nil while it does not flap. Nothing else may happen
    /// by then: the owner has to look.
    var quietAt: MonotonicTime? { isFlapping ? changes.last.map { $0 + Rules.flapQuiet } : nil }

    private mutating func endFlapping(_ verdict: Verdict, hasTargets: Bool, at now: MonotonicTime) -> Decision {
        if let quietAt, quietAt > now {
            // Bad news are not held back, nor the first where none holds.
            guard let told else { return .tell(verdict, flaps: nil) }
            return verdict.status < told.status ? .tell(verdict, flaps: flaps) : .nothing
        }
        defer { settle() }
        guard verdict == told else { return .tell(verdict, flaps: flaps) }
        return hasTargets ? .tell(verdict, flaps: nil) : .nothing
    }

    mutating func publish(_ verdict: Verdict, at now: MonotonicTime) -> (from: Verdict?, sequence: UInt64) {
        defer { told = verdict }
        sequence += 1
        // Where a path is missing, a target that answers all the same is no part of what was told just now.
        batchAt = verdict.status == .none && verdict != told ? nil : now
        return (told, sequence)
    }
}
