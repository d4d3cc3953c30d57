internal import EventLoop
internal import Reachability

/// Work that concerns every check. With thousands of checks that is milliseconds, which wait until what is news has been
/// told and are done in slices, so that what comes next waits for one slice at most.
struct Unsettled: Sendable {
    /// How long the work waits in nanoseconds, so that those who tell the news have their turn first.
    static let pause: UInt64 = 1_000_000

    enum Stage: Hashable, Sendable {
        /// Nothing has been looked at since there was something new to do.
        case start
        /// The checks are made anew beside those there are.
        case refit
        /// What was found is forgotten where it does not hold any more, and checks are planned.
        case plan
        /// What is known of the targets is brought up to date.
        case examine
        /// What is left of checks that are not in use any more is freed.
        case clear
    }

    /// The path before it.
    let path: Path
    /// When the next slice is to be done.
    var due: MonotonicTime
    /// What is to be done over each lane.
    var lanes: [LaneWork]
    /// What is to be watched from now on, where that is something else.
    var configuration: ConnectivityConfiguration?
    /// Whether the path is another one.
    var followsPath = false
    /// Whether it is not known any more what is on which link.
    var forgetsLinks = false
    /// Whether checks were made anew meanwhile, so that all notes of when a result is too old are gone.
    var isRefitted = false
    /// Those who are to find witnesses once it is done.
    var summoned: Set<Lane.Key> = []
    private(set) var stage = Stage.start
    /// The first check or target that has not been looked at in this stage.
    var next = 0

    mutating func begin(_ stage: Stage) {
        self.stage = stage
        next = 0
    }

    /// Whether every check has to be looked at.
    var concernsChecks: Bool { isRefitted || lanes.contains { !$0.isNone } }
}

/// What is to be done for all checks of a lane.
struct LaneWork: Hashable, Sendable {
    /// What the path means for them.
    var change = WayChange.none
    /// Nobody answers, and what they do is not known any more.
    var isBuried = false
    /// Nobody has looked for so long that all that was found is too old.
    var hasLapsed = false
    /// The check that was just probed, and so need not be at once.
    var spared: Int?

    var isNone: Bool { change == .none && !isBuried }

    mutating func add(_ other: LaneWork) {
        if !other.isNone { spared = isNone ? other.spared : nil }
        change = max(change, other.change)
        isBuried = isBuried || other.isBuried
        hasLapsed = hasLapsed || other.hasLapsed
    }
}

/// From how many targets on the work is put off, and how many checks a slice of it has.
struct Slicing: Hashable, Sendable {
    /// Up to here an event tells what the path means for each target.
    var mostAtOnce = 256
    var slice = 128
}

extension WayChange: Comparable {
    static func < (lhs: WayChange, rhs: WayChange) -> Bool { lhs.rawValue < rhs.rawValue }
}
