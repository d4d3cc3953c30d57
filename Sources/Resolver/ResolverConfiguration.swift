/// Which name servers a ``Resolver`` asks, by which interface, and how patiently.
public struct ResolverConfiguration: Hashable, Sendable {
    /// The servers, in the order they are tried; empty for those of `/etc/resolv.conf`.
    public var servers: [NameServer]
    /// The interface that every query leaves by (SO_BINDTODEVICE); nil leaves it to the routing table.
    public var interface: String?
    /// How long one server is given for one try.
    public var attemptTimeout: Duration
    /// How often each server is tried.
    public var attempts: Int
    /// How long a look-up may take in all.
    public var timeout: Duration
    /// Whether servers are asked over TCP from the start (`options use-vc`, resolv.conf(5)).
    package var isOverTCP = false

    public init(
        servers: [NameServer] = [], interface: String? = nil, attemptTimeout: Duration = .seconds(2),
        attempts: Int = 2, timeout: Duration = .seconds(10)
    ) {
        self.servers = servers
        self.interface = interface
        self.attemptTimeout = attemptTimeout
        self.attempts = attempts
        self.timeout = timeout
    }
}
