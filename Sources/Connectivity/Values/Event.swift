package import EventLoop
public import FoundationEssentials
public import Reachability

/// What is published: the current state, what changed, and why. The same serves callbacks, streams and JSON.
///
/// A snapshot tells all. Every other event tells what it is about: a reader that starts with a snapshot and puts what each
/// later event tells in its place knows the state at any time, as the monitor itself would tell it under the same ``seq``.
public struct Event: Hashable, Sendable {
    /// The version of this shape in JSON. It changes only when a reader of the older one would be misled.
    public static let schemaVersion = 1
    /// How many targets that are not known any more an event names; of more it tells that by ``othersUnknown``.
    static let mostForgotten = 16

    /// Counts the events of one monitor from 1, without a gap.
    public var seq: UInt64
    /// What has changed.
    public var kind: Kind
    /// When it was published, on the wall clock in nanoseconds since 1970-01-01 UTC.
    package var timeNanoseconds: UInt64
    /// The same moment on the monotonic clock, in nanoseconds.
    package var monotonic: UInt64
    /// The reachability after this event.
    public var reachability: ReachabilityStatus { to.reachability }
    /// The connectivity after this event.
    public var connectivity: ConnectivityStatus { to.connectivity }
    /// The state before this event; nil in a snapshot.
    public var from: State?
    /// The state after this event.
    public var to: State
    /// The kernel's message, the end of a probe or the request that brought it about.
    public var cause: Cause
    /// Whether lost kernel messages were repaired by reading the state anew.
    public var resync: Bool = false
    /// How many events this reader missed just before this one, because it was slower than they came.
    public var skipped: UInt64 = 0
    /// What the probes say undamped, where that is better than ``connectivity`` because flapping is held down; else nil.
    public var observed: ConnectivityStatus? = nil
    /// Why connectivity is less than full, or not known; nil where there is nothing to say. The only reason beside `full` is
    /// ``ConnectivityReason/endpointsUnreachable``.
    public var reason: ConnectivityReason? = nil
    /// Whose fault that is; nil where none is to be named.
    public var blame: TargetHealth.Blame? = nil
    /// Where a portal wants a person to go, while there is one that says so.
    public var portal: String? = nil
    /// What the network that traffic leaves by says of its own portal; nil where it advertises none.
    public var captivePortal: CaptivePortal? = nil
    /// ``latency`` in nanoseconds.
    package var latencyNanoseconds: UInt64? = nil
    /// ``since``, ``suspectSince`` and ``checkedAt`` on the monotonic clock, in nanoseconds.
    package var sinceMonotonic: UInt64? = nil
    package var suspectMonotonic: UInt64? = nil
    package var checkedMonotonic: UInt64? = nil
    /// The path after this event.
    public var path: Path
    /// What the probes over each uplink say after this event; empty where they are not told apart.
    public var uplinks: [UplinkVerdict] = []
    /// The interface to use while the one that traffic leaves by gets nowhere: an uplink that is well, and that has answered
    /// since about the moment the other fell silent. Nil while traffic's own way works, and where no other is known to.
    public var spare: String? = nil
    /// Which of these the event tells anew; all in a snapshot.
    public var changes: Changes = []
    /// The targets that the event is about, with whose fault it is where one is not up: those whose status has changed, or
    /// why they are down. All in a snapshot.
    public var targets: [TargetHealth] = []
    /// Whether it is not known of any other target whether it is up: what was known of them does not hold any more.
    public var othersUnknown = false
    /// Whether every other target is up: so many have come up that they are one fact.
    public var othersUp = false
    /// The latest results of each of these ``targets``; of ``Kind/result`` the one it tells.
    public var probes: [ProbeResult] = []

    /// What an event tells.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// The state as it is: the first event of every stream.
        case snapshot
        /// The state has changed: ``Event/from`` tells what it was.
        case transition
        /// The path has changed in something else: a gateway, an address, a family, a name server, a network's name; and the
        /// state is as it was.
        case path
        /// A target went up or down, is down for another reason, or is not known any more, and state and path are as they were.
        case target
        /// The verdict on an uplink has changed, the reason for it, the suspicion that it is dead, or which of them to use,
        /// and the rest is as it was.
        case uplink
        /// A portal sends people to another place, or says something else of itself, and the rest is as it was.
        case portal
        /// A probe has ended. It has the number of the event before it, and everything is as that one said. Only for those
        /// who ask for results.
        case result
    }

    /// What an event can tell besides the verdict and the targets.
    public struct Changes: OptionSet, Hashable, Sendable {
        public let rawValue: UInt8

        public init(rawValue: UInt8) {
            self.rawValue = rawValue
        }

        /// ``Event/path``.
        public static let path = Changes(rawValue: 1)
        /// ``Event/uplinks``.
        public static let uplinks = Changes(rawValue: 2)
        /// ``Event/captivePortal``.
        public static let captivePortal = Changes(rawValue: 4)

        public static let all: Changes = [.path, .uplinks, .captivePortal]
    }

    /// What a transition leads from and to.
    public struct State: Hashable, Sendable {
        public var reachability: ReachabilityStatus
        public var connectivity: ConnectivityStatus
        /// The interfaces the path leaves by, IPv4's first.
        public var interfaces: [String]

        public init(reachability: ReachabilityStatus, connectivity: ConnectivityStatus, interfaces: [String]) {
            self.reachability = reachability
            self.connectivity = connectivity
            self.interfaces = interfaces
        }
    }

    package init(
        seq: UInt64, kind: Kind, time: UInt64, monotonic: UInt64, from: State?, to: State, cause: Cause, path: Path
    ) {
        self.seq = seq
        self.kind = kind
        self.timeNanoseconds = time
        self.monotonic = monotonic
        self.from = from
        self.to = to
        self.cause = cause
        self.path = path
    }

    /// How many targets and results it names: an event of thousands of targets is a large one.
    package var weight: Int { targets.count + probes.count }
}

// MARK: Times

extension Event {
    /// When it was published, to the microsecond.
    public var time: Date { Date(nanoseconds: timeNanoseconds) }

    /// From what caused this event (the kernel's message, the end of a probe) to the event itself.
    public var latency: Duration? { latencyNanoseconds.map { .nanoseconds(Int64(clamping: $0)) } }

    /// Since when connectivity has been what it is.
    public var since: Date? { date(sinceMonotonic) }

    /// Since when the host's own connections wait in vain over the way that traffic leaves by: it is suspected to be dead, and
    /// probes under way will tell. Nil where there is no such sign.
    public var suspectSince: Date? { date(suspectMonotonic) }

    /// When the last probe ended; nil where none has.
    public var checkedAt: Date? { date(checkedMonotonic) }

    private func date(_ moment: UInt64?) -> Date? {
        moment.map { Date(nanoseconds: wallNanoseconds($0)) }
    }

    /// A moment of the monotonic clock's in nanoseconds since 1970, by the wall clock as it went at this event.
    package func wallNanoseconds(_ moment: UInt64) -> UInt64 { moment &+ (timeNanoseconds &- monotonic) }

    /// The same in seconds.
    package func wallSeconds(_ moment: UInt64) -> Double { Double(wallNanoseconds(moment)) / 1e9 }

    package func wallSeconds(_ moment: MonotonicTime) -> Double { wallSeconds(moment.nanoseconds) }
}
