internal import EventLoop

/// How much a way loses: by its last forty exchanges, of which some needed a second SYN, and some were misses of hosts that
/// were heard soon after.
struct LossMeter: Sendable {
    private struct Sample {
        let time: MonotonicTime
        /// Tries that were lost, and all.
        let lost: Int
        let tries: Int
        /// Whether the way was dead: nothing came through, which is no chance.
        let isOutage: Bool
    }

    private static let length = 40
    private static let memory = Duration.seconds(60)
    private var samples: [Sample] = []
    /// The seconds of the last minute in which something was lost.
    private var badSeconds: [UInt64] = []
    private(set) var isLossy = false

    mutating func note(lost: Int, of tries: Int, isOutage: Bool = false, at time: MonotonicTime) {
        samples.append(Sample(time: time, lost: lost, tries: tries, isOutage: isOutage))
        if samples.count > Self.length { samples.removeFirst(samples.count - Self.length) }
        let second = time.nanoseconds / 1_000_000_000
        if lost > 0, !isOutage, badSeconds.last != second { badSeconds.append(second) }
        badSeconds.removeAll { $0 + 60 < second }
        judge(at: time)
    }

    /// The part of single tries that may be lost, from 0 to 1: more than was seen, as chance may have been kind.
    func loss(at now: MonotonicTime) -> Double {
        let recent = samples.filter { $0.time + Self.memory > now && !$0.isOutage }
        // The last few tell sooner that it has begun.
        return max(Self.estimate(recent[...]), Self.estimate(recent.suffix(12)))
    }

    private static func estimate(_ samples: ArraySlice<Sample>) -> Double {
        let lost = samples.reduce(0) { $0 + $1.lost }
        guard lost > 0 else { return 0 }
        let tries = samples.reduce(0) { $0 + $1.tries }
        return min(Double(lost + 2) / Double(tries + 4), 0.9)
    }

    /// Loss has to be seen at three different times, so that one blip is none; where it is heavy, over eight seconds.
    private mutating func judge(at now: MonotonicTime) {
        guard isLossy || !badSeconds.isEmpty else { return }
        // What was sent over a dead way was not lost by chance: a line that has come back is well.
        let recent = samples.filter { $0.time + Self.memory > now && !$0.isOutage }
        let part = recent.isEmpty ? 0 : Double(recent.count { $0.lost > 0 }) / Double(recent.count)
        if isLossy {
            if part < 0.03, recent.count >= 5 { isLossy = false }
            return
        }
        guard recent.count >= 10, part >= 0.1, let first = badSeconds.first, let last = badSeconds.last else { return }
        let tens = Set(badSeconds.map { $0 / 10 })
        isLossy =
            (tens.count >= 3 && last - first >= 15) || (part >= 0.25 && badSeconds.count >= 5 && last - first >= 8)
    }

    mutating func forget() { self = LossMeter() }
}
