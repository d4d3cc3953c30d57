/// What brought a change about: the kernel's message, a probe, or the monitor's own start.
public struct Cause: Hashable, Sendable, Codable {
    public var kind: Kind
    /// The same in words: "wlan0 lost its carrier".
    public var description: String
    /// The interface it is about, where it is about one.
    public var interface: String? = nil
    /// What the kernel's message said, by the names its own tools use (`ip monitor`); for a probe, its result.
    public var fields: [String: String] = [:]

    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable, CodingKeyRepresentable {
        /// The monitor has started.
        case start
        case link
        case address
        case route
        case rule
        case nexthop
        case netconf
        /// The carrier was asked (ETHTOOL_GLINK) and had changed before the kernel told so.
        case carrier
        /// Messages were lost and the state was read anew.
        case resync
        /// The name servers changed.
        case nameServers = "name-servers"
        /// The host was suspended.
        case resume
        case probe
        /// The host's own connections wait in vain.
        case traffic
        /// The caller asked for it.
        case request
    }

    public init(kind: Kind, description: String, interface: String? = nil, fields: [String: String] = [:]) {
        self.kind = kind
        self.description = description
        self.interface = interface
        self.fields = fields
    }
}

extension Cause {
    /// The cause of a monitor's first update.
    package static let start = Cause(kind: .start, description: "the monitor has started")

    /// The cause of an update after a sleep.
    static func resume(after slept: Duration) -> Cause {
        Cause(
            kind: .resume, description: "the host was asleep for \(slept.components.seconds) s",
            fields: ["asleep": "\(slept.components.seconds)"])
    }

    /// The cause of an update after messages were lost: which of them it was cannot be known.
    static let resync = Cause(kind: .resync, description: "messages were lost and the state was read anew")

    /// The cause of an update that tells of places that were not asked about before.
    static let otherPlaces = Cause(kind: .request, description: "other addresses are asked about")

    /// The cause of a change that the kernel sent no message about.
    static let unannounced = Cause(
        kind: .route, description: "the kernel answers otherwise, and has sent no message that says why")
}
