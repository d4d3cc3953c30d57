internal import DequeModule
internal import EventLoop

/// How much a way loses: by its last forty exchanges, of which some needed a second SYN, and some were misses of hosts that
/// were heard soon after. What a few hosts lose alone is not lost by the way: a server may take too few connections at a time.
struct LossMeter: Sendable {
    private struct Sample {
        let time: MonotonicTime
        let host: Int
        /// Tries that were lost, and all.
        let lost: Int
        let tries: Int
    }

    /// A second in which a host has lost something.
    private struct Loss: Hashable {
        let second: UInt64
        let host: Int
    }

    private static let length = 40
    private static let memory = Duration.seconds(60)
    /// For how long hardly anything may have been lost for it to be over: forty exchanges may be a moment.
    private static let recovery = Duration.seconds(30)
    /// The part of exchanges below which that is.
    private static let little = 0.03
    /// So many exchanges of the last minute tell which hosts lose more than others.
    private static let most = 400
    /// So many hosts that lose in one second are enough to know.
    private static let mostInSecond = 8

    /// So long what was found of hosts holds: at thousands of exchanges a second it is not sought for each.
    private static let pause = Duration.milliseconds(50)
    /// How often others are asked while some hosts lose: what the others were spared is forgotten after a minute.
    private static let reminder = Duration.seconds(5)

    private var samples: Deque<Sample> = []
    private var losses: [Loss] = []
    private(set) var isLossy = false
    /// Since when hardly anything is lost by a way that is lossy, and of how many exchanges since then some tries were.
    private var well: (since: MonotonicTime, lossy: Int, all: Int)?
    /// When the last exchange was noted.
    var measuredAt: MonotonicTime? { samples.last?.time }
    /// The hosts that lose by their own fault, as they were found last.
    private var losers: Set<Int> = []
    private var soughtAt: MonotonicTime?
    /// When others were asked last.
    private var askedAt: MonotonicTime?

    /// Notes what an exchange with a host, by its number, has cost. What was sent over a dead way was not lost by chance: a line
    /// that has come back is well.
    mutating func note(lost: Int, of tries: Int, by host: Int, isOutage: Bool = false, at time: MonotonicTime) {
        let second = time.nanoseconds / 1_000_000_000
        losses.removeAll { $0.second + 60 < second }
        if !isOutage {
            if samples.count == Self.most { samples.removeFirst() }
            samples.append(Sample(time: time, host: host, lost: lost, tries: tries))
            if lost > 0 { note(Loss(second: second, host: host)) }
        }
        if soughtAt.map({ $0 + Self.pause <= time }) ?? true { seekLosers(at: time) }
        judge(after: isOutage || losers.contains(host) ? nil : lost > 0, at: time)
    }

    private mutating func note(_ loss: Loss) {
        let same = losses.reversed().prefix { $0.second == loss.second }
        if same.count < Self.mostInSecond, !same.contains(loss) { losses.append(loss) }
    }

    /// The part of single tries that the way may lose, from 0 to 1: more than was seen, as chance may have been kind.
    func loss(at now: MonotonicTime) -> Double { Self.loss(samplesOfWay(at: now)) }

    /// The part that may be lost on the way to some hosts, by the way or by themselves.
    func loss(to hosts: [Int], at now: MonotonicTime) -> Double {
        let own = recent(at: now).suffix(Self.length).filter { hosts.contains($0.host) }
        return own.count { $0.lost > 0 } < 3 ? loss(at: now) : max(loss(at: now), Self.loss(own))
    }

    private static func loss(_ samples: some BidirectionalCollection<Sample>) -> Double {
        // The last few tell sooner that it has begun.
        max(estimate(samples), estimate(samples.suffix(12)))
    }

    private static func estimate(_ samples: some Sequence<Sample>) -> Double {
        let lost = samples.reduce(0) { $0 + $1.lost }
        guard lost > 0 else { return 0 }
        let tries = samples.reduce(0) { $0 + $1.tries }
        return min(Double(lost + 2) / Double(tries + 4), 0.9)
    }

    private func recent(at now: MonotonicTime) -> [Sample] { samples.filter { $0.time + Self.memory > now } }

    /// The last ones that tell of the way.
    private func samplesOfWay(at now: MonotonicTime) -> ArraySlice<Sample> {
        recent(at: now).filter { !losers.contains($0.host) }.suffix(Self.length)
    }

    /// What is so once is not undone by chance as easily.
    private mutating func seekLosers(at now: MonotonicTime) {
        guard !losses.isEmpty else {
            losers = []
            return
        }
        soughtAt = now
        var share = LossShare()
        // Before it began all were spared.
        for sample in recent(at: now).drop(while: { $0.lost == 0 }) {
            share.note(isLossy: sample.lost > 0, by: sample.host)
        }
        losers = share.losers(below: isLossy ? Self.certain : Self.likely)
    }

    /// How likely it may be at most that a way that loses from all alike has spared the others as they were.
    private static let likely = 0.1
    private static let certain = 1e-4

    /// Whether more than two hosts have lost something, or all that were heard: two may be overloaded.
    private static func isShared(_ samples: ArraySlice<Sample>) -> Bool {
        let losing = Set(samples.lazy.filter { $0.lost > 0 }.map(\.host))
        return losing.count > 2 || samples.allSatisfy { losing.contains($0.host) }
    }

    /// The hosts besides which others are to be asked now, because these alone have lost something, and others could show
    /// whether it is the way that loses it: once a second at most until it is known, and now and then as long as they do.
    mutating func suspects(at now: MonotonicTime) -> Set<Int> {
        guard askedAt.map({ $0 + .seconds(1) <= now }) ?? true else { return [] }
        let recent = recent(at: now)
        let losing = Set(recent.lazy.filter { $0.lost > 0 }.map(\.host))
        let hosts = Set(recent.lazy.map(\.host))
        // Where few are heard, all of them may be overloaded.
        let isShared = losing.count * 2 > hosts.count && losing.count > 3
        guard !losing.isEmpty, !isShared else { return [] }
        seekLosers(at: now)
        let isKnown = losing.isSubset(of: losers)
        guard !isKnown || askedAt.map({ $0 + Self.reminder <= now }) ?? true else { return [] }
        askedAt = now
        return losing
    }

    /// Loss has to be seen at three different times, so that one blip is none; where it is heavy, over eight seconds.
    ///
    /// - Parameter isLost: Whether the last exchange has lost something; nil where it tells nothing of the way.
    private mutating func judge(after isLost: Bool?, at now: MonotonicTime) {
        guard isLossy || !losses.isEmpty else { return }
        let ofWay = samplesOfWay(at: now)
        let part = ofWay.isEmpty ? 0 : Double(ofWay.count { $0.lost > 0 }) / Double(ofWay.count)
        guard !isLossy else { return judgeEnd(ofWay, part, after: isLost, at: now) }
        guard ofWay.count >= 10, part >= 0.1, Self.isShared(ofWay) else { return }
        let seconds = losses.filter { !losers.contains($0.host) }.map(\.second)
        isLossy = (part >= 0.25 && Self.isDense(seconds)) || Self.isLasting(seconds)
    }

    /// It is over once hardly anything was lost for a while: of all exchanges of that time, since among many each forty hold two by
    /// chance that have lost something.
    private mutating func judgeEnd(
        _ ofWay: ArraySlice<Sample>, _ part: Double, after isLost: Bool?, at now: MonotonicTime
    ) {
        guard ofWay.count >= 5, let first = ofWay.first?.time else {
            well = nil
            return
        }
        if var known = well {
            if let isLost { (known.all, known.lossy) = (known.all + 1, known.lossy + (isLost ? 1 : 0)) }
            well = Double(known.lossy) < Self.little * Double(max(known.all, Self.length)) ? known : nil
        } else if part < Self.little {
            well = (now, 0, 0)
        }
        guard let well else { return }
        if well.since + Self.recovery <= now || (part < Self.little && first + Self.recovery <= now) {
            (isLossy, self.well) = (false, nil)
        }
    }

    private static func span(_ seconds: [UInt64]) -> UInt64 { (seconds.last ?? 0) - (seconds.first ?? 0) }

    /// Whether something is lost in most seconds of eight.
    private static func isDense(_ seconds: [UInt64]) -> Bool {
        let bad = Set(seconds).count
        return span(seconds) >= 8 && bad >= 5 && UInt64(bad * 2) > span(seconds)
    }

    /// Whether something is lost at three times that are far enough apart: what is lost within seven seconds, as the tries of one
    /// connection, is lost at one.
    private static func isLasting(_ seconds: [UInt64]) -> Bool {
        guard span(seconds) >= 15 else { return false }
        var (count, end) = (0, UInt64(0))
        for second in seconds where second >= end { (count, end) = (count + 1, second + 7) }
        return count >= 3
    }

    mutating func forget() { self = LossMeter() }
}
