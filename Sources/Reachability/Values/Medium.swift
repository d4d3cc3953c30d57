/// What a packet physically leaves by. A tunnel, bridge, bond, VLAN or macvlan has the medium of the link underneath.
public enum Medium: String, Hashable, Sendable, Codable, CaseIterable {
    case ethernet
    case wifi
    case wwan
    /// No physical link can be told.
    case other
}
