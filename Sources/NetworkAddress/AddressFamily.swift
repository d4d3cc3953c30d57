/// The two families of the Internet protocol. Their raw values are the names used in JSON, metrics and messages.
public enum AddressFamily: String, Hashable, Sendable, Codable, CaseIterable {
    case ipv4
    case ipv6

    /// The number of bits in an address: 32 or 128.
    public var bitWidth: Int {
        switch self {
        case .ipv4: 32
        case .ipv6: 128
        }
    }
}
