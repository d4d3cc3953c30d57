import CNetlink
import NetworkAddress

/// Reads RTM_NEWRULE and RTM_DELRULE (`struct fib_rule_hdr`, FRA_*).
enum RuleParser {
    static func parse(_ message: Message) throws(NetlinkError) -> RuleMessage? {
        let fixed = try message.fixedPart(fib_rule_hdr.self)
        guard let family = AddressFamily(kernelValue: fixed.family) else { return nil }
        var rule = RuleMessage(family: family, priority: 0, table: UInt32(fixed.table), action: fixed.action)
        rule.typeOfService = fixed.tos == 0 ? nil : fixed.tos
        rule.isInverted = fixed.flags & UInt32(FIB_RULE_INVERT) != 0
        try message.attributes(after: fib_rule_hdr.self).forEach { (attribute) throws(NetlinkError) in
            switch attribute.type {
            case FRA_SRC: rule.source = try prefix(attribute, length: fixed.src_len)
            case FRA_DST: rule.destination = try prefix(attribute, length: fixed.dst_len)
            default: try read(attribute, into: &rule)
            }
        }
        return rule
    }

    private static func read(_ attribute: Attribute, into rule: inout RuleMessage) throws(NetlinkError) {
        switch attribute.type {
        case FRA_PRIORITY: rule.priority = try attribute.uint32()
        case FRA_TABLE: rule.table = try attribute.uint32()
        case FRA_FWMARK: rule.mark = try attribute.uint32()
        case FRA_FWMASK: rule.mask = try attribute.uint32()
        case FRA_IIFNAME: rule.inputInterface = attribute.string()
        case FRA_OIFNAME: rule.outputInterface = attribute.string()
        case FRA_SUPPRESS_PREFIXLEN: rule.suppressedLength = try attribute.uint32().nonmaximal
        case FRA_SUPPRESS_IFGROUP: rule.suppressedGroup = try attribute.uint32().nonmaximal
        default: try readSelector(attribute, into: &rule)
        }
    }

    /// What it looks at besides addresses and devices.
    private static func readSelector(_ attribute: Attribute, into rule: inout RuleMessage) throws(NetlinkError) {
        switch attribute.type {
        case FRA_UID_RANGE:
            let range = try attribute.load(as: fib_rule_uid_range.self)
            rule.userIDs = range.start...max(range.start, range.end)
        case FRA_IP_PROTO: rule.ipProtocol = try attribute.uint8()
        case FRA_SPORT_RANGE: rule.sourcePorts = try ports(attribute)
        case FRA_DPORT_RANGE: rule.destinationPorts = try ports(attribute)
        default: break
        }
    }

    private static func ports(_ attribute: Attribute) throws(NetlinkError) -> ClosedRange<UInt16> {
        let range = try attribute.load(as: fib_rule_port_range.self)
        return range.start...max(range.start, range.end)
    }

    private static func prefix(_ attribute: Attribute, length: UInt8) throws(NetlinkError) -> IPPrefix {
        guard let prefix = IPPrefix(try attribute.address(), length: Int(length)) else {
            throw .malformed(
                message: MessageName.of(attribute.message),
                reason: "a prefix of \(length) bits does not fit its address")
        }
        return prefix
    }
}

extension UInt32 {
    /// Nil for the value that stands for none.
    fileprivate var nonmaximal: UInt32? { self == .max ? nil : self }
}
