/// News from the kernel: something was made or changed, or deleted.
///
/// The message lies in a place of its own, because it is large and handed on from one to the other.
public indirect enum NetlinkNotification: Hashable, Sendable, Codable {
    case link(Change, LinkMessage)
    case address(Change, AddressMessage)
    case route(Change, RouteMessage)
    case rule(Change, RuleMessage)
    case nexthop(Change, NexthopMessage)
    case netconf(Change, NetconfMessage)
    /// A router has advertised something for programs. There is no news of its end: it carries its own lifetime.
    case userOption(NDUserOptionMessage)

    /// Whether RTM_NEW… or RTM_DEL… was sent. A new message may replace what was there.
    public enum Change: String, Hashable, Sendable, Codable {
        case new
        case deleted
    }
}
