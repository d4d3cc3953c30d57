import CNetlink
import NetworkAddress

/// Reads RTM_NEWADDR and RTM_DELADDR (`struct ifaddrmsg`, IFA_*).
enum AddressParser {
    static func parse(_ message: Message) throws(NetlinkError) -> AddressMessage? {
        let fixed = try message.fixedPart(ifaddrmsg.self)
        guard let family = AddressFamily(kernelValue: fixed.ifa_family) else { return nil }
        var fields = Fields(flags: AddressFlags(rawValue: UInt32(fixed.ifa_flags)))
        try message.attributes(after: ifaddrmsg.self).forEach { (attribute) throws(NetlinkError) in
            try fields.read(attribute)
        }
        guard let address = fields.local ?? fields.address, address.family == family else {
            throw .malformed(message: message.name, reason: "it carries no address of its family")
        }
        return fields.message(fixed, address)
    }

    private struct Fields {
        var flags: AddressFlags
        var address: IPAddress?
        var local: IPAddress?
        var label: String?
        var lifetimes: ifa_cacheinfo?

        init(flags: AddressFlags) {
            self.flags = flags
        }

        mutating func read(_ attribute: Attribute) throws(NetlinkError) {
            switch attribute.type {
            case IFA_ADDRESS: address = try attribute.address()
            case IFA_LOCAL: local = try attribute.address()
            case IFA_LABEL: label = attribute.string()
            // All 32 bits; the fixed part has room for eight only.
            case IFA_FLAGS: flags = AddressFlags(rawValue: try attribute.uint32())
            case IFA_CACHEINFO: lifetimes = try attribute.load(as: ifa_cacheinfo.self)
            default: break
            }
        }

        func message(_ fixed: ifaddrmsg, _ own: IPAddress) -> AddressMessage {
            var message = AddressMessage(index: fixed.ifa_index, address: own, prefixLength: fixed.ifa_prefixlen)
            message.peer = address == own ? nil : address
            message.scope = fixed.ifa_scope
            message.flags = flags
            message.label = label
            message.preferredLifetime = Self.finite(lifetimes?.ifa_prefered)
            message.validLifetime = Self.finite(lifetimes?.ifa_valid)
            message.updated = lifetimes?.tstamp
            return message
        }

        /// INFINITY_LIFE_TIME is all ones (`net/addrconf.h`).
        private static func finite(_ seconds: UInt32?) -> UInt32? {
            seconds == .max ? nil : seconds
        }
    }
}
