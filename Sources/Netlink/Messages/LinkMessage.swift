public import NetworkAddress

/// A network device as the kernel describes it in RTM_NEWLINK and RTM_DELLINK (`rtnetlink(7)`, `linux/if_link.h`).
public struct LinkMessage: Hashable, Sendable, Codable {
    /// The device's number in its namespace (`ifi_index`), reused after deletion. 32 bits wide.
    public var index: UInt32
    /// The protocol family of the message: 0, or AF_BRIDGE (7) for news of a bridge port, which is no news of the device.
    public var family: UInt8 = 0
    /// The link-layer type (`ARPHRD_*` of `linux/if_arp.h`).
    public var type: UInt16
    /// The device's flags (`IFF_*`).
    public var flags: LinkFlags
    /// Which flags changed, as far as the kernel says (`ifi_change`).
    public var changedFlags: UInt32 = 0
    public var name: String
    /// The further names given with `ip link property add` (IFLA_ALT_IFNAME).
    public var alternativeNames: [String] = []
    /// The largest packet in bytes.
    public var mtu: UInt32? = nil
    public var hardwareAddress: HardwareAddress? = nil
    /// IFLA_OPERSTATE (RFC 2863).
    public var operationalState: OperationalState = .unknown
    /// IFLA_CARRIER; nil where the message does not say.
    public var carrier: Bool? = nil
    /// The device this one sits on (IFLA_LINK). For a veth it is the peer, and not a lower device.
    public var lowerIndex: UInt32? = nil
    /// Present where `lowerIndex` counts in another namespace (IFLA_LINK_NETNSID).
    public var lowerNamespaceID: Int32? = nil
    /// The bridge, bond, team or VRF that this device is enslaved to (IFLA_MASTER).
    public var controllerIndex: UInt32? = nil
    /// The group that it is in (IFLA_GROUP), which rules may look at (`suppress_ifgroup`); nil for the
    /// group 0, which every link begins in.
    public var group: UInt32? = nil
    /// IFLA_INFO_KIND: `veth`, `bridge`, `wireguard`, …; nil for most hardware.
    public var kind: String? = nil
    /// IFLA_INFO_SLAVE_KIND: what kind of controller this device is enslaved to.
    public var slaveKind: String? = nil
    /// What IFLA_INFO_DATA adds for some kinds.
    public var details: LinkDetails = .none
    /// The name of the parent device on its bus (IFLA_PARENT_DEV_NAME).
    public var parentDevice: String? = nil
    /// Whether the message carries wireless-extension noise (IFLA_WIRELESS), which is no news of the link.
    public var isWirelessEvent: Bool = false
    /// How often carrier came and went (IFLA_CARRIER_UP_COUNT, IFLA_CARRIER_DOWN_COUNT).
    public var carrierUpCount: UInt32? = nil
    public var carrierDownCount: UInt32? = nil

    public init(index: UInt32, type: UInt16, flags: LinkFlags, name: String) {
        self.index = index
        self.type = type
        self.flags = flags
        self.name = name
    }
}

/// What the kernel tells beyond the common attributes, for the kinds where it decides how traffic leaves.
public enum LinkDetails: Hashable, Sendable, Codable {
    case none
    /// The bond's mode (`BOND_MODE_*`) and, in active-backup, the slave in use.
    case bond(mode: UInt8, activeSlave: UInt32?)
    case vlan(id: UInt16)
    /// The routing table of a VRF.
    case vrf(table: UInt32)
    /// A tunnel's outer addresses, its underlying device if bound to one, and the mark of its own packets.
    case tunnel(local: IPAddress?, remote: IPAddress?, link: UInt32?, mark: UInt32?)
}
