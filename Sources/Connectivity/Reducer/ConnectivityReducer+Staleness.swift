internal import EventLoop
internal import Reachability

/// Time in which nobody looked counts neither as up nor as down: a result that is too old says nothing, and neither does an
/// uplink over which no probe has ended for so long. It needs no timer of its own, because as long as anybody looks,
/// something ends.
extension ConnectivityReducer {
    /// For how long a lane may go without a result: by the slowest target, which may be the only one that is still asked.
    var staleAge: Duration {
        let factor = configuration.metered.isEmpty ? 1 : ConnectivityConfiguration.meteredFactor
        return longestInterval * factor * configuration.staleIntervals + longestTimeout
    }

    /// How old a check's result may become.
    private func staleAge(of index: Int) -> Duration {
        interval(of: index) * configuration.staleIntervals + longestTimeout
    }

    /// Forgets what is too old; returns why, where something was and all of it is.
    mutating func expire(at now: Instant, _ output: inout Output) -> Origin? {
        let age = lanes.compactMap(\.lastLook).max().map { $0.duration(to: now.monotonic) }
        expireChecks(at: now)
        let hasLapsed = lanes.indices.reduce(false) { lapse($1, at: now, &output) || $0 }
        guard hasLapsed || (expired > 0 && !isExpiring(at: now)) else { return nil }
        defer { expired = 0 }
        guard let age, age > staleAge else { return Origin(.cause(.late(expired)), time: now.monotonic) }
        return Origin(.cause(.unwatched(age)), time: now.monotonic)
    }

    /// Whether there is more that is too old than one input has forgotten.
    func isExpiring(at now: Instant) -> Bool {
        guard putsOff, refit == nil, let first = expiry.first else { return false }
        return first.due <= now.monotonic
    }

    /// When its result came, or traffic showed that it would be the same.
    private func lastLook(of index: Int) -> MonotonicTime? {
        guard let time = checks[index].result?.endMonotonic, checks[index].target.role == .reference else {
            return checks[index].result?.endMonotonic
        }
        return max(time, lanes[checks[index].lane].traffic.confirmedAt ?? time)
    }

    private mutating func expireChecks(at now: Instant) {
        // Checks that are made anew are looked at once they are in use.
        guard refit == nil else { return }
        var left = putsOff ? slicing.slice : .max
        while left > 0, let entry = expiry.first, entry.due <= now.monotonic {
            left -= 1
            expiry.removeFirst()
            checks[entry.check].hasExpiry = false
            guard expireIfOld(entry.check, at: now) else { planExpiry(entry.check); continue }
            if putsOff { examineQuietly(checks[entry.check].targetIndex, at: now) }
        }
    }

    /// Forgets what a check has found where that is too old; false where it is not.
    @discardableResult
    mutating func expireIfOld(_ index: Int, at now: Instant) -> Bool {
        guard let time = lastLook(of: index) else { return true }
        guard time.advanced(by: staleAge(of: index)) <= now.monotonic else { return false }
        // Those on a dead uplink are not known anyway.
        guard checks[index].standing != .pending else { return true }
        expired += 1
        update(index) { $0.expire() }
        return true
    }

    /// Nobody knows any more whether anybody answers there: all are asked.
    private mutating func lapse(_ lane: Int, at now: Instant, _ output: inout Output) -> Bool {
        guard let last = lanes[lane].lastLook, last.advanced(by: staleAge) <= now.monotonic,
            lanes[lane].judgement.status != .unknown
        else { return false }
        lanes[lane].lapse()
        putOff(LaneWork(change: .some, hasLapsed: true), of: lane, at: now, &output)
        return true
    }

    /// Notes when a result that has just come in will be too old. A check has one such note at a time, which is looked at
    /// again when it falls due.
    mutating func planExpiry(_ index: Int) {
        guard !checks[index].hasExpiry, let time = lastLook(of: index) else { return }
        checks[index].hasExpiry = true
        expiry.plan(index, at: time.advanced(by: staleAge(of: index)))
    }

    /// Makes that note anew, where the check has moved or the age is another one.
    mutating func replanExpiry(of index: Int) {
        checks[index].hasExpiry = false
        planExpiry(index)
    }
}

extension Cause {
    /// Nothing was looked at for a while.
    fileprivate static func unwatched(_ age: Duration) -> Cause {
        let seconds = age.nanoseconds / 1_000_000_000
        return Cause(
            kind: .probe, description: "no probe has ended for \(seconds) s: what was found before is too old",
            fields: ["unwatched": "\(seconds)"])
    }

    /// Some targets were not looked at for a while.
    fileprivate static func late(_ count: Int) -> Cause {
        Cause(
            kind: .probe, description: "\(count) targets were not looked at in time: what was found before is too old",
            fields: ["late": "\(count)"])
    }
}
