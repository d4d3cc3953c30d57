import CNetlink
import NetworkAddress

/// Reads IFLA_INFO_DATA of the kinds that decide how traffic leaves. Its attributes are numbered for each kind apart.
enum LinkDetailsParser {
    static func parse(_ data: Attributes, kind: String) throws(NetlinkError) -> LinkDetails {
        switch kind {
        case "bond": try bond(data)
        case "vlan": try first(IFLA_VLAN_ID, of: data).map { .vlan(id: $0) } ?? .none
        case "vrf": try first(IFLA_VRF_TABLE, of: data).map { .vrf(table: $0) } ?? .none
        default:
            try TunnelAttributes(kind: kind).map { (numbers) throws(NetlinkError) in try tunnel(data, numbers) }
                ?? .none
        }
    }

    private static func first<Value: BitwiseCopyable>(
        _ type: Int, of data: Attributes
    ) throws(NetlinkError) -> Value? {
        var value: Value?
        try data.forEach { (attribute) throws(NetlinkError) in
            if attribute.type == type { value = try attribute.load(as: Value.self) }
        }
        return value
    }

    private static func bond(_ data: Attributes) throws(NetlinkError) -> LinkDetails {
        let mode: UInt8? = try first(IFLA_BOND_MODE, of: data)
        let active: UInt32? = try first(IFLA_BOND_ACTIVE_SLAVE, of: data)
        return .bond(mode: mode ?? 0, activeSlave: active == 0 ? nil : active)
    }

    private static func tunnel(_ data: Attributes, _ numbers: TunnelAttributes) throws(NetlinkError) -> LinkDetails {
        var local: IPAddress?
        var remote: IPAddress?
        var link: UInt32?
        var mark: UInt32?
        try data.forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case let type where numbers.local.contains(type): local = try attribute.specifiedAddress() ?? local
            case let type where numbers.remote.contains(type): remote = try attribute.specifiedAddress() ?? remote
            case numbers.link: link = try attribute.nonzero()
            case numbers.mark: mark = try attribute.nonzero()
            default: break
            }
        }
        return .tunnel(local: local, remote: remote, link: link, mark: mark)
    }
}

/// Which numbers a kind of tunnel gives to the same four facts (`linux/if_tunnel.h`, `linux/if_link.h`).
private struct TunnelAttributes {
    var local: [Int]
    var remote: [Int]
    var link: Int?
    var mark: Int?

    init?(kind: String) {
        switch kind {
        case "gre", "gretap", "erspan", "ip6gre", "ip6gretap", "ip6erspan":
            self.init(local: [IFLA_GRE_LOCAL], remote: [IFLA_GRE_REMOTE], link: IFLA_GRE_LINK, mark: IFLA_GRE_FWMARK)
        case "ipip", "sit", "ip6tnl":
            self.init(
                local: [IFLA_IPTUN_LOCAL], remote: [IFLA_IPTUN_REMOTE], link: IFLA_IPTUN_LINK, mark: IFLA_IPTUN_FWMARK)
        case "vti", "vti6":
            self.init(local: [IFLA_VTI_LOCAL], remote: [IFLA_VTI_REMOTE], link: IFLA_VTI_LINK, mark: IFLA_VTI_FWMARK)
        case "vxlan":
            self.init(
                local: [IFLA_VXLAN_LOCAL, IFLA_VXLAN_LOCAL6], remote: [IFLA_VXLAN_GROUP, IFLA_VXLAN_GROUP6],
                link: IFLA_VXLAN_LINK, mark: nil)
        case "geneve":
            self.init(local: [], remote: [IFLA_GENEVE_REMOTE, IFLA_GENEVE_REMOTE6], link: nil, mark: nil)
        default:
            return nil
        }
    }

    private init(local: [Int], remote: [Int], link: Int?, mark: Int?) {
        self.local = local
        self.remote = remote
        self.link = link
        self.mark = mark
    }
}
