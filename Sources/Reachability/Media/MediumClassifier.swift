package import Netlink

/// Tells what a link is, from values alone.
///
/// The order is what keeps tomorrow's virtual drivers from being called Ethernet: kind, link-layer type, driver,
/// DEVTYPE, nl80211, modem names, and Ethernet only for an Ethernet frame format that nothing else explains.
package enum MediumClassifier {
    package static func classify(_ link: LinkMessage, _ facts: LinkFacts = LinkFacts()) -> LinkClass {
        if link.flags.contains(.loopback) { return .loopback }
        if let kind = link.kind { return classify(kind: kind, facts) }
        if let byType = classify(type: link.type, facts) { return byType }
        if let byDevice = classify(facts, type: link.type) { return byDevice }
        if isModem(name: link.name, type: link.type) { return .physical(.wwan) }
        return link.type == LinkType.ethernet && facts.deviceType == nil ? .physical(.ethernet) : .virtual
    }

    private static func classify(kind: String, _ facts: LinkFacts) -> LinkClass {
        switch kind {
        case "veth", "netkit": .veth
        case "vlan", "macvlan", "macvtap", "ipvlan", "ipvtap", "macsec", "virt_wifi": .upper
        case "bridge": .aggregate(isBridge: true)
        case "bond", "team": .aggregate(isBridge: false)
        case "vrf": .vrf
        case "wwan", "rmnet": .physical(.wwan)
        case "dsa", "ipoib": .physical(.ethernet)
        case "ppp": facts.isModem ? .physical(.wwan) : .tunnel
        case let kind where Interface.tunnels.contains(kind): .tunnel
        default: .virtual
        }
    }

    private static func classify(type: UInt16, _ facts: LinkFacts) -> LinkClass? {
        switch type {
        case LinkType.loopback: .loopback
        case LinkType.ppp: facts.isModem ? .physical(.wwan) : .tunnel
        case LinkType.tunnel, LinkType.tunnel6, LinkType.sit, LinkType.gre, LinkType.gre6: .tunnel
        case LinkType.infiniband: .physical(.ethernet)
        case LinkType.ieee80211, LinkType.prism, LinkType.radiotap: .virtual
        case LinkType.ieee802154, LinkType.ieee802154Monitor, LinkType.lowpan: .virtual
        default: nil
        }
    }

    private static func classify(_ facts: LinkFacts, type: UInt16) -> LinkClass? {
        if let driver = facts.driver, let byDriver = classify(driver: driver) { return byDriver }
        switch facts.deviceType {
        case "wlan": return .physical(.wifi)
        case "wwan": return .physical(.wwan)
        case "bluetooth": return type == LinkType.ethernet ? .physical(.other) : .virtual
        case "gadget", "dsa": return .physical(.ethernet)
        default: break
        }
        return facts.isWireless ? .physical(.wifi) : nil
    }

    private static func classify(driver: String) -> LinkClass? {
        switch driver {
        case "tun": .tunnel
        case "veth": .veth
        case "qmi_wwan", "cdc_mbim", "sierra_net", "huawei_cdc_ncm", "hso", "mhi_wwan_mbim", "iosm", "mtk_t7xx":
            .physical(.wwan)
        default: nil
        }
    }

    /// The modems of drivers outside of the kernel, which nothing but their names tells apart.
    private static func isModem(name: String, type: UInt16) -> Bool {
        guard [LinkType.ethernet, LinkType.rawIP, LinkType.rawIPBefore414].contains(type) else { return false }
        return ["rmnet", "rev_rmnet", "ccmni"].contains { name.hasPrefix($0) }
    }
}

/// The link-layer types that decide (`ARPHRD_*` of `linux/if_arp.h`).
enum LinkType {
    static let ethernet: UInt16 = 1
    static let infiniband: UInt16 = 32
    static let ppp: UInt16 = 512
    static let rawIP: UInt16 = 519
    static let rawIPBefore414: UInt16 = 530
    static let tunnel: UInt16 = 768
    static let tunnel6: UInt16 = 769
    static let loopback: UInt16 = 772
    static let sit: UInt16 = 776
    static let gre: UInt16 = 778
    static let ieee80211: UInt16 = 801
    static let prism: UInt16 = 802
    static let radiotap: UInt16 = 803
    static let ieee802154: UInt16 = 804
    static let ieee802154Monitor: UInt16 = 805
    static let gre6: UInt16 = 823
    static let lowpan: UInt16 = 825
}
