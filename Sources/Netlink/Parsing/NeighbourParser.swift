import CNetlink
import NetworkAddress

/// Reads RTM_NEWNEIGH (`struct ndmsg`, NDA_*).
enum NeighbourParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NeighbourMessage? {
        let fixed = try message.fixedPart(ndmsg.self)
        guard message.type == RTM_NEWNEIGH, AddressFamily(kernelValue: fixed.ndm_family) != nil else { return nil }
        var address: IPAddress?
        var hardwareAddress: HardwareAddress?
        var probes: UInt32?
        var confirmed: UInt32?
        try message.attributes(after: ndmsg.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case NDA_DST: address = try attribute.address()
            case NDA_LLADDR: hardwareAddress = attribute.hardwareAddress()
            case NDA_PROBES: probes = try attribute.uint32()
            case NDA_CACHEINFO: confirmed = try attribute.load(as: nda_cacheinfo.self).ndm_confirmed
            default: break
            }
        }
        guard let address else { throw .malformed(message: message.name, reason: "it carries no address") }
        var neighbour = NeighbourMessage(
            index: UInt32(bitPattern: fixed.ndm_ifindex), address: address, state: .init(rawValue: fixed.ndm_state))
        neighbour.hardwareAddress = hardwareAddress
        neighbour.probes = probes
        neighbour.confirmed = confirmed
        return neighbour
    }
}
