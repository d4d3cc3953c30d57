/// Which broker is next, and after which pause: the next of the list at once, and after a round of failures later and later,
/// each time by another part of the pause, so that a fleet does not come back at one moment.
package struct BrokerRotation: Sendable {
    /// A connection that stood for less counts as a failure.
    private static let proof = Duration.seconds(10)
    /// After a connection that stood, its fleet is spread over so long.
    private static let spread = Duration.seconds(1)

    private let count: Int
    private let first: Duration
    private let longest: Duration
    /// Which broker of the list is to be tried.
    package private(set) var index = 0
    /// How many have failed, one after the other.
    private var failures = 0

    package init(_ settings: MQTTSettings) {
        count = max(settings.brokers.count, 1)
        first = settings.firstPause
        longest = settings.longestPause
    }

    /// Goes on to the next broker.
    ///
    /// - Parameters:
    ///   - time: How long the connection stood; nil where there was none.
    ///   - chance: From 0 to 1.
    /// - Returns: How long to wait before it is tried.
    package mutating func fail(after time: Duration?, chance: Double) -> Duration {
        index = (index + 1) % count
        if let time, time >= Self.proof {
            failures = 0
            return Self.spread * chance
        }
        failures += 1
        guard failures % count == 0 else { return .zero }
        let round = min(failures / count - 1, 16)
        return min(first * (1 << round), longest) * (0.5 + chance / 2)
    }

    /// The world is another one: what has failed says nothing about it.
    package mutating func forgive() {
        failures = 0
    }
}
