package import EventLoop
public import FoundationEssentials
public import NetworkAddress
internal import Reachability

/// What the probes over one interface in one family say.
public struct UplinkVerdict: Hashable, Sendable {
    /// The interface the probes are bound to; nil where they leave by the route.
    public var interface: String?
    /// The only family they may use; nil where they may use both.
    public var family: AddressFamily?
    /// Whether traffic that is not bound leaves this way now.
    public var isActive: Bool
    /// What the probes over it confirm.
    public var connectivity: ConnectivityStatus
    /// Why that is less than full; nil where it is full or not known.
    public var reason: ConnectivityReason? = nil
    package var sinceMonotonic: MonotonicTime? = nil
    package var suspectMonotonic: MonotonicTime? = nil
    package var checkedMonotonic: MonotonicTime? = nil

    /// Since when the connectivity has been what it is.
    public var since: Date? { sinceMonotonic.map(Date.init) }
    /// Since when it is suspected to be dead, because the host's own connections wait in vain; nil where it is not.
    public var suspectSince: Date? { suspectMonotonic.map(Date.init) }
    /// When the last probe over it ended.
    public var checkedAt: Date? { checkedMonotonic.map(Date.init) }

    package init(interface: String?, family: AddressFamily?, isActive: Bool, connectivity: ConnectivityStatus) {
        self.interface = interface
        self.family = family
        self.isActive = isActive
        self.connectivity = connectivity
    }
}
