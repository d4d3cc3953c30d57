package import EventLoop
public import FoundationEssentials
internal import Reachability

/// What is known of one target: whether it is up, since when, and where it is not, whose fault that is.
public struct TargetHealth: Hashable, Sendable {
    /// The target's name.
    public var target: String
    /// Whether it is up.
    public var status: Status
    /// Why it is not up, or not by every address of its name where each is probed.
    public var reason: ConnectivityReason? = nil
    /// Whose fault that is.
    public var blame: Blame? = nil
    /// What the blame rests on, in words.
    public var evidence: String? = nil
    /// What each address of its name did last, where each is probed (``Target/eachAddress``).
    public var addresses: [AddressResult]? = nil
    package var sinceMonotonic: MonotonicTime? = nil
    package var checkedMonotonic: MonotonicTime? = nil

    /// Since when the status has been what it is; nil where it has never been known.
    public var since: Date? { sinceMonotonic.map(Date.init) }
    /// When its last probe ended; nil where none has.
    public var checkedAt: Date? { checkedMonotonic.map(Date.init) }

    /// Whether a target is up.
    public enum Status: String, Hashable, Sendable, Codable, CaseIterable {
        case up
        case down
        /// Not known: not probed yet, or this host is cut off from it. Such time counts neither as up nor as down.
        case unknown
    }

    /// Whose fault it is that a target is not up.
    public enum Blame: String, Hashable, Sendable, Codable, CaseIterable {
        /// The target itself: others answered meanwhile.
        case target
        /// This host has no path to it.
        case path
        /// The uplink: no other host answers over it either, or a portal does.
        case uplink
        /// The name servers.
        case resolver
        /// It cannot be told: only this target is asked, and no other host may be.
        case unknown
        /// This host could not ask.
        case host = "self"
    }

    package init(target: String, status: Status) {
        self.target = target
        self.status = status
    }
}
