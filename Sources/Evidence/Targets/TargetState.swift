internal import EventLoop

/// What is known of one target.
struct TargetState: Sendable {
    /// What was found, if it still counts.
    enum Known: Hashable, Sendable {
        case up
        case down(Culprit, Reason)
        /// This host could not ask.
        case unsent
        /// It has no address that may be asked.
        case inapplicable
    }

    /// A probe of it that was in vain.
    struct Miss: Sendable {
        let sentAt: MonotonicTime
        let reason: Reason
        /// Whether something was heard, so that no way needs to be proven.
        let isHeard: Bool
        /// How many SYNs were sent in vain, where it was a silence.
        let tries: Int
        /// The ways it went by, with their generations.
        let ways: [(index: Int, generation: Int)]
        /// The hosts that were asked: a name may have led to others before.
        let hosts: [Int]

        /// How likely loss alone brings it. An answer is many packets: where much is lost, its absence says nothing.
        func chance(atLoss loss: Double) -> Double {
            guard reason == .silent else { return loss >= 0.15 ? 1 : loss }
            return (0..<tries).reduce(1) { chance, _ in chance * loss }
        }
    }

    private(set) var known: Known?
    /// The way it was found over and its generation then; nil where no way matters.
    private(set) var way: Int?
    private(set) var generation = 0
    private(set) var misses: [Miss] = []
    private(set) var successes = 0
    /// When its next turn is.
    var due: MonotonicTime?
    /// What is under way for it.
    var ask: UInt64?
    /// Whether its next turn was asked for, and is not its own.
    var isWanted = false
    /// Whether its next turn confirms a silence.
    var isConfirming = false
    /// When it was last found to be well: when that was asked.
    private(set) var goodAt: MonotonicTime?
    /// Whether its state may be another one than was told.
    var isChanged = false
    /// The hosts that it has been asked at.
    var hosts: [Int] = []
    /// Whether it waits for its name.
    var isWaiting = false
    /// The way it answered over last.
    var lastWinner: Int?

    /// Goes on with what was found of the same target before.
    mutating func adopt(_ other: TargetState) {
        (known, way, generation) = (other.known, other.way, other.generation)
        (misses, successes, goodAt) = (other.misses, other.successes, other.goodAt)
        (hosts, lastWinner) = (other.hosts, other.lastWinner)
    }

    mutating func place(_ known: Known?, way: Int?, generation: Int) {
        (self.known, self.way, self.generation) = (known, way, generation)
        if case .up? = known { misses = [] }
    }

    mutating func succeed(sentAt: MonotonicTime) {
        successes += 1
        goodAt = sentAt
        misses = []
        isConfirming = false
    }

    /// - Parameter limit: How many are kept: no fewer than it takes to be down.
    mutating func miss(_ miss: Miss, limit: Int) {
        successes = 0
        // What this host could not ask says nothing of the target that it has asked now.
        if miss.reason != .unsent { misses.removeAll { $0.reason == .unsent } }
        misses.append(miss)
        if misses.count > limit { misses.removeFirst() }
    }

    mutating func forgiveIfUp() {
        if known == .up { misses = [] }
    }

    mutating func forgive() {
        misses = []
        isConfirming = false
    }
}

/// What is told of a target.
package struct Health: Hashable, Sendable {
    package enum Status: Hashable, Sendable { case up, down, unknown }
    package var status: Status
    package var culprit: Culprit?
    package var reason: Reason?

    package init(_ status: Status, _ culprit: Culprit? = nil, _ reason: Reason? = nil) {
        self.status = status
        self.culprit = culprit
        self.reason = reason
    }
}
