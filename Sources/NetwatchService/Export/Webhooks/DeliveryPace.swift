import RequestCore

/// What is to be done after an attempt to deliver something. A value without a clock.
struct DeliveryPace: Sendable {
    /// What came of an attempt.
    enum Answer: Hashable, Sendable {
        /// - Parameter retryAfter: How long the server asks to be left alone.
        case status(Int, retryAfter: Duration?)
        /// There was no answer, or nothing could be asked.
        case failure(String)
    }

    enum Step: Hashable, Sendable {
        case delivered
        /// It will never be taken.
        case refused(status: Int)
        /// - Parameter isAsked: Whether the server has asked for it: then it is not cut short.
        case again(after: Duration, isAsked: Bool, because: String)
    }

    /// Answers after which the same request may be taken later.
    private static let passing: Set<Int> = [408, 425, 429]
    /// The longest that a server may ask for.
    private static let longestWait = Duration.seconds(3600)

    private let backoff = Backoff(base: .seconds(1), maximum: .seconds(300))
    private var failures = 0
    /// Whether the latest failure is the receiver's own word, which says something about it on any way.
    private var isAnswered = false

    mutating func take(_ answer: Answer, chance: Double = .random(in: 0...1)) -> Step {
        switch answer {
        case .status(200..<300, _):
            failures = 0
            return .delivered
        case .status(let status, let asked) where status >= 500 || Self.passing.contains(status):
            (failures, isAnswered) = (failures + 1, true)
            // A server that is overloaded may ask for no time at all, or for one that has passed by this host's clock.
            let least = backoff.delay(after: failures, chance: chance)
            let delay = asked.map { max(min($0, Self.longestWait), least) } ?? least
            return .again(after: delay, isAsked: asked != nil, because: "answers \(status)")
        case .status(let status, _):
            failures = 0
            return .refused(status: status)
        case .failure(let words):
            (failures, isAnswered) = (failures + 1, false)
            return .again(after: backoff.delay(after: failures, chance: chance), isAsked: false, because: words)
        }
    }

    /// The wait is cut short because the world has changed, and the next attempt is not one of those that come ever more
    /// seldom: a way that comes and goes would put off by minutes what could be told as soon as it stays. What failed without
    /// an answer may have failed by the way that was.
    mutating func hurry() {
        failures = isAnswered ? max(0, failures - 1) : 0
    }
}
