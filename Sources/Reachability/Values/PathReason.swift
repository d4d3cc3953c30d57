/// Why a path, or an interface in one family, is not usable or not whole. The list is closed: events, metrics and
/// messages use these words and no others.
public enum PathReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// The interface is administratively down.
    case adminDown = "admin-down"
    /// The interface has no carrier: the cable is out, the station is not associated, the peer is down.
    case noCarrier = "no-carrier"
    /// The interface waits for authentication (operational state dormant).
    case dormant
    /// The interface has no address of this family that could be a source.
    case noAddress = "no-address"
    /// The only addresses are still being checked for duplicates.
    case tentative
    /// Another host has the address.
    case duplicateAddress = "dad-failed"
    /// The kernel would send with a link-local source.
    case linkLocalSource = "link-local-source"
    /// No route matches.
    case noRoute = "no-route"
    /// A `blackhole` route matches.
    case blackhole
    /// An `unreachable` route matches.
    case unreachable
    /// A `prohibit` route matches.
    case prohibit
    /// The path leads into a tunnel whose daemon is gone.
    case tunnelWithoutCarrier = "vpn-without-carrier"
    /// The path leads into a tunnel whose own packets have no path.
    case tunnelWithoutPath = "tunnel-has-no-path"
    /// One leg of a multipath route leads nowhere and the kernel still sends flows into it.
    case legWithoutCarrier = "leg-without-carrier"
    /// Halves of the address space leave by different ways, or only one of them leaves at all.
    case split
    /// The path leaves by a medium that the monitor was told not to count.
    case mediumNotAllowed = "medium-not-allowed"
}
