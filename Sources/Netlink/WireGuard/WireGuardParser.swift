import CNetlink
import Glibc
import NetworkAddress

/// One message about a device, which may tell of a peer in part.
struct WireGuardPart {
    var device = WireGuardDevice()
    /// The public keys of the first and of the last peer in it.
    var firstKey: [UInt8]?
    var lastKey: [UInt8]?

    /// Joins what several messages tell of a device. The rest of a peer comes with its key and without its endpoint
    /// (`get_peer()` in the kernel's `drivers/net/wireguard/netlink.c`).
    static func joined(_ parts: [WireGuardPart]) -> WireGuardDevice? {
        guard let first = parts.first else { return nil }
        var (device, last) = (first.device, first.lastKey)
        for part in parts.dropFirst() {
            var peers = part.device.peers[...]
            if let key = part.firstKey, key == last, let place = device.peers.indices.last, let rest = peers.popFirst()
            {
                let room = max(WireGuardParser.prefixLimit - device.peers[place].prefixes.count, 0)
                device.peers[place].prefixes += rest.prefixes.prefix(room)
            }
            let room = max(WireGuardParser.peerLimit - device.peers.count, 0)
            device.peers += peers.prefix(room)
            // What is left of a peer that was not taken is no other's.
            last = peers.count > room ? nil : part.lastKey
        }
        return device
    }
}

/// Reads what WireGuard tells of a device (`linux/wireguard.h`): where its packets go. Of its keys those of peers are read, to tell
/// them apart, and not kept.
enum WireGuardParser {
    /// A host has a few peers, a concentrator thousands: no more are looked at than decide.
    static let peerLimit = 256
    static let prefixLimit = 1024

    static func parse(_ message: Message) throws(NetlinkError) -> WireGuardPart? {
        var part = WireGuardPart()
        try message.attributes(after: genlmsghdr.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case Int(WGDEVICE_A_FWMARK.rawValue): part.device.mark = try attribute.nonzero()
            case Int(WGDEVICE_A_PEERS.rawValue): try add(attribute.nested, to: &part)
            default: break
            }
        }
        return part
    }

    private static func add(_ list: Attributes, to part: inout WireGuardPart) throws(NetlinkError) {
        try list.forEach { (attribute) throws(NetlinkError) in
            guard part.device.peers.count < peerLimit else {
                part.lastKey = nil
                return
            }
            let (peer, key) = try peer(attribute.nested)
            if part.device.peers.isEmpty { part.firstKey = key }
            part.device.peers.append(peer)
            part.lastKey = key
        }
    }

    private static func peer(_ attributes: Attributes) throws(NetlinkError) -> (WireGuardPeer, key: [UInt8]?) {
        var peer = WireGuardPeer()
        var key: [UInt8]?
        try attributes.forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case Int(WGPEER_A_PUBLIC_KEY.rawValue): key = [UInt8](attribute.payload)
            case Int(WGPEER_A_ENDPOINT.rawValue): peer.endpoint = try endpoint(attribute)
            case Int(WGPEER_A_ALLOWEDIPS.rawValue): peer.prefixes += try prefixes(attribute.nested)
            default: break
            }
        }
        return (peer, key)
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
