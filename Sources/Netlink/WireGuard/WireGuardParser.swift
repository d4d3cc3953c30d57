import CNetlink
import Glibc
import NetworkAddress

/// Reads what WireGuard tells of a device (`linux/wireguard.h`): where its packets go, and none of its keys.
enum WireGuardParser {
    /// A host has a few peers, a concentrator thousands: no more are looked at than decide.
    private static let peerLimit = 256
    private static let prefixLimit = 1024

    static func parse(_ message: Message) throws(NetlinkError) -> WireGuardDevice? {
        var device = WireGuardDevice()
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case Int(WGDEVICE_A_FWMARK.rawValue): device.mark = try attribute.nonzero()
            case Int(WGDEVICE_A_PEERS.rawValue): device.peers += try peers(attribute.nested)
            default: break
            }
        }
        return device
    }

    private static func peers(_ list: Attributes) throws(NetlinkError) -> [WireGuardPeer] {
        var peers: [WireGuardPeer] = []
        try list.forEach { (attribute) throws(NetlinkError) in
            if peers.count < peerLimit { peers.append(try peer(attribute.nested)) }
        }
        return peers
    }

    private static func peer(_ attributes: Attributes) throws(NetlinkError) -> WireGuardPeer {
        var peer = WireGuardPeer()
        try attributes.forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case Int(WGPEER_A_ENDPOINT.rawValue): peer.endpoint = try endpoint(attribute)
            case Int(WGPEER_A_ALLOWEDIPS.rawValue): peer.prefixes += try prefixes(attribute.nested)
            default: break
            }
        }
        return peer
    }

    /// A `struct sockaddr_in` or `struct sockaddr_in6`.
    private static func endpoint(_ attribute: Attribute) throws(NetlinkError) -> IPAddress? {
        switch CInt(try attribute.uint16()) {
        case AF_INET:
            try attribute.require(MemoryLayout<sockaddr_in>.size)
            return IPAddress(bytes: attribute.payload.extracting(4..<8))
        case AF_INET6:
            try attribute.require(MemoryLayout<sockaddr_in6>.size)
            return IPAddress(bytes: attribute.payload.extracting(8..<24))
        default: return nil
        }
    }

    private static func prefixes(_ list: Attributes) throws(NetlinkError) -> [IPPrefix] {
        var prefixes: [IPPrefix] = []
        try list.forEach { (attribute) throws(NetlinkError) in
            guard prefixes.count < prefixLimit, let prefix = try prefix(attribute.nested) else { return }
            prefixes.append(prefix)
        }
        return prefixes
    }

    private static func prefix(_ attributes: Attributes) throws(NetlinkError) -> IPPrefix? {
        var address: IPAddress?
        var length: UInt8?
        try attributes.forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case Int(WGALLOWEDIP_A_IPADDR.rawValue): address = try attribute.address()
            case Int(WGALLOWEDIP_A_CIDR_MASK.rawValue): length = try attribute.uint8()
            default: break
            }
        }
        return address.flatMap { address in length.flatMap { IPPrefix(address, length: Int($0)) } }
    }
}
