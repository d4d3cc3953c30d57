internal import EventLoop

internal import enum RequestEngine.Phase

/// What the probes of a lane have brought.
struct LaneRecord: Sendable {
    private(set) var latest: LatestResults
    /// What the latest have failed for.
    private(set) var reasons = FailureReasons()
    /// When the last of them ended.
    private(set) var checkedAt: MonotonicTime?
    private var streaks: [Int: AddressStreaks] = [:]
    /// How long the names took that were looked up for probes that have not ended.
    private var resolving: [Int: Duration] = [:]
    /// Since when targets could not be asked for want of something of this host's own.
    private var lackingSince: [Int: MonotonicTime] = [:]

    init(of members: [Int]) { latest = LatestResults(of: members) }

    /// Goes on with what another lane for the same way knew of the targets that had these places in it; nil for a new one.
    init(of members: [Int], from old: LaneRecord, at places: [Int?]) {
        latest = LatestResults(of: members, from: old.latest, at: places)
        checkedAt = old.checkedAt
        for place in members.indices {
            count(latest[place], 1)
            streaks[place] = places[place].flatMap { old.streaks[$0] }
        }
    }

    /// - Returns: The result with what else is known of it.
    mutating func note(_ result: ProbeResult, of place: Int, fall: Int) -> ProbeResult {
        var result = result
        if let took = resolving.removeValue(forKey: place), result.phaseNanoseconds[.resolve] == nil {
            result.phaseNanoseconds[.resolve] = took.nanoseconds
        }
        if result.addresses != nil || streaks[place] != nil {
            streaks[place, default: AddressStreaks()].take(result.addresses, fall: fall, isFirst: latest[place] == nil)
        }
        count(latest[place], -1)
        latest[place] = result
        count(result, 1)
        checkedAt = result.endMonotonic
        return result
    }

    private mutating func count(_ result: ProbeResult?, _ step: Int) {
        guard let result, result.outcome != .skipped || result.reason != nil else { return }
        reasons.add(result.reason, isUp: result.outcome == .success, step)
    }

    mutating func note(lookUp took: Duration, for place: Int) { resolving[place] = took }

    /// Nothing was looked at for a while: what was found does not stand for now.
    mutating func forget() {
        latest.forget()
        reasons = FailureReasons()
        streaks = [:]
    }

    /// For how long something of this host's own has been wanting for a target, by its latest result; nil where nothing is.
    mutating func lack(by result: ProbeResult, of place: Int, at now: MonotonicTime) -> Duration? {
        guard result.reason == .overloaded else {
            if result.outcome != .cancelled { lackingSince[place] = nil }
            return nil
        }
        let since = lackingSince[place] ?? now
        lackingSince[place] = since
        return since.duration(to: now)
    }

    /// The addresses of a target's name that have failed often enough, where each is probed.
    func failing(_ place: Int) -> [AddressResult] { streaks[place]?.failing ?? [] }
}
