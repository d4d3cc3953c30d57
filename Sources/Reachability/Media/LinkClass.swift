/// What a link is by itself, before anything underneath it is looked at.
package enum LinkClass: Hashable, Sendable {
    /// A link that packets physically leave by.
    case physical(Medium)
    /// One end of a veth pair: the way out of a container, or a container's link seen from its host.
    case veth
    /// A link upon one other (VLAN, macvlan, …): IFLA_LINK is what it sits on.
    case upper
    /// A bridge, bond or team: its ports are underneath.
    case aggregate(isBridge: Bool)
    /// A tunnel: its own packets leave by another way.
    case tunnel
    case loopback
    /// A VRF: what is sent to it leaves by one of its ports, by the VRF's own table of routes.
    case vrf
    /// A link that nothing leaves by: dummy, ifb, and every kind that is not known.
    case virtual
}
