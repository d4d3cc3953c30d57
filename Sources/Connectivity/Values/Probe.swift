public import EventLoop
public import NetworkAddress

/// One question to one target, as the reducer wants it asked.
public struct Probe: Hashable, Sendable, Codable, Identifiable {
    /// The most addresses of one name that are asked.
    package static let mostAddresses = 16

    /// Counts the probes of one monitor from 1.
    public var id: UInt64
    public var target: Target
    /// The interface to bind to; nil to leave by the route.
    public var interface: String?
    /// The only family allowed; nil for both.
    public var family: AddressFamily?
    /// How long it may take in all.
    public var timeout: Duration
    /// When it was to be sent; nil where it was not planned.
    public var due: MonotonicTime? = nil
    /// Where to connect to, the proxy's addresses where there is one; nil to have the name looked up for this probe.
    package var addresses: [IPAddress]? = nil
    /// The host to connect to in place of the one that the target's URL names; nil for that.
    package var place: String? = nil
    /// How many addresses may be asked at one time where each of the target's is; nil for all.
    package var width: Int? = nil

    public init(
        id: UInt64, target: Target, interface: String? = nil, family: AddressFamily? = nil, timeout: Duration
    ) {
        self.id = id
        self.target = target
        self.interface = interface
        self.family = family
        self.timeout = timeout
    }
}
