import CNetlink
import NetworkAddress

/// Reads RTM_NEWPREFIX (`struct prefixmsg`, PREFIX_*), which the kernel sends for each prefix that a router advertises.
enum PrefixParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NDUserOptionMessage? {
        let fixed = try message.fixedPart(prefixmsg.self)
        guard AddressFamily(kernelValue: fixed.prefix_family) == .ipv6 else { return nil }
        var address: IPAddress?
        try message.attributes(after: prefixmsg.self).forEach { (attribute) throws(NetlinkError) in
            if attribute.type == PREFIX_ADDRESS { address = try attribute.address() }
        }
        guard let address, address.family == .ipv6, let prefix = IPPrefix(address, length: Int(fixed.prefix_len)) else {
            throw .malformed(message: message.name, reason: "its prefix does not fit its length and family")
        }
        return NDUserOptionMessage(index: UInt32(bitPattern: fixed.prefix_ifindex), option: .prefix(prefix))
    }
}
