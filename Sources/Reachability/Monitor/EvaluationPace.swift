import EventLoop

/// When the kernel may be asked again: the first change at once, a storm at most once a millisecond, and once the storm
/// is over a few times more, because the kernel removes some routes a moment after its last message, without another.
/// Those looks hold up no change that comes after them.
///
/// Where containers start and stop all the time, looking each time would cost more than all reading does, and bring nothing:
/// news of links that are no part of the path is looked at ever more seldom then.
struct EvaluationPace: Hashable, Sendable {
    /// The shortest time between two evaluations, in a storm.
    static let interval = Duration.milliseconds(1)
    /// When the answers are looked at again after the last change.
    static let confirmations: [Duration] = [.milliseconds(1), .milliseconds(5), .milliseconds(25), .milliseconds(100)]
    /// How long a change that the kernel has not finished may stay unfinished before it is told as it is.
    static let patience = Duration.milliseconds(20)

    /// How often an answer that stays unfinished is looked at again, in intervals that double.
    static let unfinishedLimit = 8

    /// How often a change is looked at again that no message has told of yet, in intervals that double from 50 µs: the kernel
    /// answers by a new route before it tells of it. Some changes it never tells of.
    static let listeningLimit = 4

    /// How long to wait after evaluations that could not be made, once there were several in a row.
    static let failureInterval = Duration.seconds(1)

    /// The longest time between two evaluations for links that are no part of the path.
    static let leisure = Duration.milliseconds(64)
    /// How long news gathers before it is read while other links change all the time and the path does, too.
    static let stormRest = Duration.microseconds(1500)
    /// When the answers are looked at again then.
    static let stormConfirmations: [Duration] = [
        .milliseconds(64), .milliseconds(64), .milliseconds(64), .milliseconds(100),
    ]
    /// How long news gathers at most before it is read, in a storm about links that are no part of the path.
    static let longestRest = Duration.milliseconds(4)

    private var storm = Storm()
    private var earliest = MonotonicTime(nanoseconds: 0)
    /// The same for news of links that are no part of the path.
    private var earliestOther = MonotonicTime(nanoseconds: 0)
    private var latest = MonotonicTime(nanoseconds: 0)
    /// How many evaluations in a row have changed nothing.
    private var fruitless = 0
    /// What has to be between two evaluations: it doubles with each that brings nothing.
    private var pause = Duration.zero
    private var shortest = Self.interval
    private var confirmed = 0
    private var unfinished = 0
    private var unsettledSince: MonotonicTime?
    private var retries = 0
    private var listenings = 0

    /// Whether other links than those of the path change all the time.
    var isStorm: Bool { storm.isOn }

    /// When to evaluate a change that has just come.
    ///
    /// - Parameter isPressing: Whether it may be about the path; false where it is only about a link that is no part of it.
    mutating func due(_ now: MonotonicTime, isPressing: Bool = true) -> MonotonicTime {
        if !isPressing, storm.note(now) {
            // What is looked at for the path meanwhile does for them, too; the last two looks come after the storm.
            confirmed = min(confirmed, Self.confirmations.count - 2)
            unfinished = 0
            return max(now, earliestOther, latest.advanced(by: Self.leisure))
        }
        confirmed = 0
        unfinished = 0
        if isPressing { hurry() }
        if isPressing { return max(now, earliest) }
        // `latest` is never after `now`.
        return fruitless == 0 ? max(now, earliestOther) : max(now, earliestOther, latest.advanced(by: pause))
    }

    /// Notes that an evaluation has ended, and whether it has changed the path.
    mutating func concluded(_ now: MonotonicTime, isNews: Bool) {
        latest = now
        guard !isNews else { return hurry() }
        fruitless += 1
        pause = min(Self.leisure, max(Self.interval, pause + pause))
    }

    /// Notes that there is something to hurry for, or that the storm is over.
    private mutating func hurry() {
        fruitless = 0
        pause = .zero
    }

    /// How long news may gather before it is read; nil where it is to be read as it comes. It gathers where it has come
    /// without end, and none of it about the path: more often than one change is looked at.
    ///
    /// - Parameter queue: The bytes that the kernel keeps for it. At a message of 840 bytes each five microseconds, half of
    ///   them are taken meanwhile.
    func rest(queue: Int) -> Duration? {
        let isFruitless = fruitless > Self.confirmations.count + 1
        guard isFruitless || storm.isOn else { return nil }
        return min(isFruitless ? Self.longestRest : Self.stormRest, .nanoseconds(queue) * 3)
    }

    /// Notes the evaluation of a change, so that changes of other links never take more than a fifth of the time, and those of
    /// the path no more than half of it.
    mutating func evaluated(from start: MonotonicTime, to end: MonotonicTime) {
        let spent = start.duration(to: end)
        shortest = max(Self.interval, spent * 4)
        earliest = end.advanced(by: max(Self.interval, spent))
        earliestOther = end.advanced(by: shortest)
    }

    /// When to look again after an evaluation; nil once all is quiet and confirmed.
    ///
    /// - Parameter isUnfinished: Whether the kernel was seen in the middle of a change. On a busy host it may need longer
    ///   for that than all confirmations take: a nexthop object is told to be gone before its routes are.
    mutating func nextConfirmation(_ now: MonotonicTime, isUnfinished: Bool = false) -> MonotonicTime? {
        guard confirmed < Self.confirmations.count else {
            hurry()
            storm = Storm()
            return isUnfinished ? nextUnfinished(now) : nil
        }
        defer { confirmed += 1 }
        let rest = (storm.isOn(now) ? Self.stormConfirmations : Self.confirmations)[confirmed]
        return now.advanced(by: max(shortest, pause, rest))
    }

    /// When to look again after an evaluation that could not be made: as after one that could, and then each second, since the
    /// path told last may be wrong, and no message has to come.
    mutating func nextAttempt(_ now: MonotonicTime) -> MonotonicTime {
        nextConfirmation(now) ?? now.advanced(by: Self.failureInterval)
    }

    private mutating func nextUnfinished(_ now: MonotonicTime) -> MonotonicTime? {
        guard unfinished < Self.unfinishedLimit else { return nil }
        defer { unfinished += 1 }
        return now.advanced(by: .milliseconds(100) * (1 << unfinished))
    }

    /// Whether the evaluation that is due is the last one: nothing has changed since the others.
    var isLastConfirmation: Bool { confirmed == Self.confirmations.count }

    /// When to look again at a change that the kernel is in the middle of; nil where it has taken too long.
    mutating func nextRetry(_ now: MonotonicTime) -> MonotonicTime? {
        let since = unsettledSince ?? now
        guard since.duration(to: now) < Self.patience else { return nil }
        unsettledSince = since
        defer { retries += 1 }
        return now.advanced(by: .microseconds(50) * (1 << min(retries, 6)))
    }

    /// When to look again at a change that no message has told of yet; nil where none is to be awaited any longer.
    mutating func nextListening(_ now: MonotonicTime) -> MonotonicTime? {
        guard listenings < Self.listeningLimit else { return nil }
        defer { listenings += 1 }
        return now.advanced(by: .microseconds(50) * (1 << listenings))
    }

    /// Notes that the kernel's answers agree with its messages.
    mutating func settled() {
        unsettledSince = nil
        retries = 0
        listenings = 0
    }
}

/// Whether other links than those of the path change all the time, whatever the path does.
private struct Storm: Hashable {
    /// So many readings of such news in one stretch of time are one.
    private static let least = 16
    /// So many are enough for it to go on: as news gathers in a storm, there are fewer readings of it.
    private static let leastToLast = 6
    private static let stretch = Duration.milliseconds(100)

    private var begun = MonotonicTime(nanoseconds: 0)
    private var readings = 0
    private(set) var isOn = false

    /// Notes that there was such news, and tells whether there is a storm.
    mutating func note(_ now: MonotonicTime) -> Bool {
        if begun.duration(to: now) > Self.stretch {
            isOn = readings >= (isOn ? Self.leastToLast : Self.least) && begun.duration(to: now) < Self.stretch * 2
            begun = now
            readings = 0
        }
        readings += 1
        isOn = isOn || readings >= Self.least
        return isOn
    }

    func isOn(_ now: MonotonicTime) -> Bool {
        isOn && begun.duration(to: now) < Self.stretch * 2
    }
}
