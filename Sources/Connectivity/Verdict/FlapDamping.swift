public import EventLoop

internal import func Glibc.exp2
internal import func Glibc.log2

/// Holds a status that flaps at the worse value until it has been steady, as BGP's route flap damping does (RFC 2439).
///
/// Each fall adds a penalty, which decays by half in a stated time. Above one threshold better news are held back, until
/// the penalty has decayed below another. Bad news are never held back.
public struct FlapDamping: Hashable, Sendable {
    /// The numbers, of which penalties are in points as BGP's are.
    public struct Configuration: Hashable, Sendable, Codable {
        /// What one fall adds, in points: more than 0.
        public var penalty = 1000.0
        /// From how many points on better news are held back: more than ``reuse``.
        public var suppress = 2500.0
        /// Below how many points they come through again: more than 0.
        public var reuse = 750.0
        /// In what time the penalty decays by half: 1 ms to a day.
        public var halfLife: Duration = .seconds(60)
        /// The most points the penalty can come to, which bounds how long news are held back: ``suppress`` or more.
        public var ceiling = 6000.0

        public init() {}
    }

    private let configuration: Configuration
    private var penalty = 0.0
    private var time: MonotonicTime?
    public private(set) var isSuppressed = false

    public init(_ configuration: Configuration = Configuration()) {
        self.configuration = configuration
    }

    /// Notes a fall.
    public mutating func fall(at now: MonotonicTime) {
        decay(to: now)
        penalty = min(penalty + configuration.penalty, configuration.ceiling)
        if penalty >= configuration.suppress { isSuppressed = true }
    }

    /// Brings the penalty up to date.
    public mutating func decay(to now: MonotonicTime) {
        defer { time = now }
        guard let time, time < now else { return }
        let halfLives = Double(time.duration(to: now).nanoseconds) / Double(max(configuration.halfLife.nanoseconds, 1))
        penalty *= exp2(-halfLives)
        if penalty < configuration.reuse { isSuppressed = false }
    }

    /// When better news may come through again; nil where they may now.
    public func release() -> MonotonicTime? {
        guard isSuppressed, let time, configuration.reuse > 0 else { return nil }
        // A moment later than it decays to the threshold, so that it is below it then.
        // The quotient of the two may be beyond all numbers. The difference is less than 2100 for any two numbers: with
        // half-lives of a day that is six years.
        let halfLives = min(max(log2(penalty) - log2(configuration.reuse), 0), 2100)
        return time.advanced(by: configuration.halfLife * halfLives + .milliseconds(1))
    }
}
