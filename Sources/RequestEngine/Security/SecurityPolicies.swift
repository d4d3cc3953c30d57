/// The policies of a session: one for each host that needs its own, and one for all others.
public struct SecurityPolicies: Hashable, Sendable {
    /// The policy of hosts that no pattern names. With nil they are refused.
    public var other: SecurityPolicy?
    public var hosts: [HostPattern: SecurityPolicy]

    public init(other: SecurityPolicy? = .default, hosts: [HostPattern: SecurityPolicy] = [:]) {
        self.other = other
        self.hosts = hosts
    }

    /// The policy for a host: that of the narrowest pattern which names it, else ``other``.
    public func policy(host: String, port: UInt16) -> SecurityPolicy? {
        guard !hosts.isEmpty else { return other }
        let matching = hosts.filter { $0.key.matches(host: host, port: port) }
        return matching.max { $0.key.rank < $1.key.rank }?.value ?? other
    }

    /// Whether a host has a policy of its own.
    func names(host: String, port: UInt16) -> Bool {
        hosts.contains { $0.key.matches(host: host, port: port) }
    }
}
