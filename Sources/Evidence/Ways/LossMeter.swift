internal import EventLoop

/// How much a way loses: by its last forty exchanges, of which some needed a second SYN, and some were misses of hosts that
/// were heard soon after. What one host alone loses is not lost by the way: a server may take too few connections at a time.
struct LossMeter: Sendable {
    private struct Sample {
        let time: MonotonicTime
        let host: Int
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
    /// When others were asked last.
    private var askedAt: MonotonicTime?

    /// Notes what an exchange with a host, by its number, has cost.
    mutating func note(lost: Int, of tries: Int, by host: Int, isOutage: Bool = false, at time: MonotonicTime) {
        samples.append(Sample(time: time, host: host, lost: lost, tries: tries, isOutage: isOutage))
        if samples.count > Self.length { samples.removeFirst(samples.count - Self.length) }
        let second = time.nanoseconds / 1_000_000_000
        if lost > 0, !isOutage, badSeconds.last != second { badSeconds.append(second) }
        badSeconds.removeAll { $0 + 60 < second }
        judge(at: time)
    }

    /// The part of single tries that the way may lose, from 0 to 1: more than was seen, as chance may have been kind.
    func loss(at now: MonotonicTime) -> Double { Self.loss(samplesOfWay(at: now)) }

    /// The part that may be lost on the way to some hosts, by the way or by themselves.
    func loss(to hosts: [Int], at now: MonotonicTime) -> Double {
        let own = recent(at: now).filter { hosts.contains($0.host) }
        return own.count { $0.lost > 0 } < 3 ? loss(at: now) : max(loss(at: now), Self.loss(own))
    }

    private static func loss(_ samples: [Sample]) -> Double {
        // The last few tell sooner that it has begun.
        max(estimate(samples[...]), estimate(samples.suffix(12)))
    }

    private static func estimate(_ samples: ArraySlice<Sample>) -> Double {
        let lost = samples.reduce(0) { $0 + $1.lost }
        guard lost > 0 else { return 0 }
        let tries = samples.reduce(0) { $0 + $1.tries }
        return min(Double(lost + 2) / Double(tries + 4), 0.9)
    }

    private func recent(at now: MonotonicTime) -> [Sample] {
        // What was sent over a dead way was not lost by chance: a line that has come back is well.
        samples.filter { $0.time + Self.memory > now && !$0.isOutage }
    }

    /// Those of the last minute that tell of the way: not those of the one host that loses while the others are spared by more
    /// than chance.
    private func samplesOfWay(at now: MonotonicTime) -> [Sample] {
        let recent = recent(at: now)
        guard let host = Self.onlyLoser(recent) else { return recent }
        let others = recent.filter { $0.host != host }
        return Self.expectation(of: others, in: recent) >= Self.certain ? others : recent
    }

    /// How much others would have lost if they lost as the one host does. That none of it was lost has a chance of e⁻ˣ.
    private static func expectation(of others: [Sample], in recent: [Sample]) -> Double {
        let part = Double(recent.count { $0.lost > 0 }) / Double(max(recent.count - others.count, 1))
        return part * Double(others.count)
    }

    /// From where on it is no chance that the others were spared.
    private static let certain = 9.0

    /// The host that has lost all that was lost; nil where there are more.
    private static func onlyLoser(_ samples: [Sample]) -> Int? {
        let losing = samples.lazy.filter { $0.lost > 0 }
        guard let host = losing.first?.host, losing.allSatisfy({ $0.host == host }) else { return nil }
        return host
    }

    /// Whether several hosts have lost something, or the only one that was heard.
    private static func isShared(_ samples: [Sample]) -> Bool {
        guard let host = onlyLoser(samples) else { return true }
        return samples.allSatisfy { $0.host == host }
    }

    /// Whether others are to be asked now, because only one host has lost something, and they could show whether it is the way
    /// that loses it: once a second at most.
    mutating func wantsOthers(at now: MonotonicTime) -> Bool {
        let recent = recent(at: now)
        guard let host = Self.onlyLoser(recent), askedAt.map({ $0 + .seconds(1) <= now }) ?? true,
            Self.expectation(of: recent.filter { $0.host != host }, in: recent) < Self.certain
        else { return false }
        askedAt = now
        return true
    }

    /// Loss has to be seen at three different times, so that one blip is none; where it is heavy, over eight seconds.
    private mutating func judge(at now: MonotonicTime) {
        guard isLossy || !badSeconds.isEmpty else { return }
        let recent = isLossy ? samplesOfWay(at: now) : recent(at: now)
        let part = recent.isEmpty ? 0 : Double(recent.count { $0.lost > 0 }) / Double(recent.count)
        if isLossy {
            if part < 0.03, recent.count >= 5 { isLossy = false }
            return
        }
        guard recent.count >= 10, part >= 0.1, Self.isShared(recent), let first = badSeconds.first,
            let last = badSeconds.last
        else { return }
        let span = last - first
        let isHeavy = part >= 0.25 && span >= 8 && badSeconds.count >= 5 && badSeconds.count * 2 > span
        isLossy = isHeavy || (spells >= 3 && span >= 15)
    }

    /// At how many times something was lost: what is lost within seven seconds, as the tries of one connection, is lost at one.
    private var spells: Int {
        var (count, end) = (0, UInt64(0))
        for second in badSeconds where second >= end { (count, end) = (count + 1, second + 7) }
        return count
    }

    mutating func forget() { self = LossMeter() }
}
