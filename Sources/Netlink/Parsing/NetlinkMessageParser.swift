import CNetlink

/// Turns a message of rtnetlink into a value. Total over all bytes: a value, nil for what does not matter here, or an
/// error that says what is wrong.
enum NetlinkMessageParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NetlinkNotification? {
        switch message.type {
        case RTM_NEWLINK: .link(.new, try LinkParser.parse(message))
        case RTM_DELLINK: .link(.deleted, try LinkParser.parse(message))
        case RTM_NEWADDR: try AddressParser.parse(message).map { .address(.new, $0) }
        case RTM_DELADDR: try AddressParser.parse(message).map { .address(.deleted, $0) }
        case RTM_NEWROUTE: try RouteParser.parse(message).map { .route(.new, $0) }
        case RTM_DELROUTE: try RouteParser.parse(message).map { .route(.deleted, $0) }
        case RTM_NEWRULE: try RuleParser.parse(message).map { .rule(.new, $0) }
        case RTM_DELRULE: try RuleParser.parse(message).map { .rule(.deleted, $0) }
        case RTM_NEWNEXTHOP: .nexthop(.new, try NexthopParser.parse(message))
        case RTM_DELNEXTHOP: .nexthop(.deleted, try NexthopParser.parse(message))
        case RTM_NEWNETCONF: try NetconfParser.parse(message).map { .netconf(.new, $0) }
        case RTM_DELNETCONF: try NetconfParser.parse(message).map { .netconf(.deleted, $0) }
        case RTM_NEWNDUSEROPT: advertised(message, NDUserOptionParser.parse)
        case RTM_NEWPREFIX: advertised(message, PrefixParser.parse)
        default: nil
        }
    }

    /// Reads what a router has advertised; nil where that makes no sense. The words are the router's, and the kernel hands
    /// them on unread: no news of the kernel's is lost with them. Else any host on the link could have the state asked for
    /// anew, again and again.
    private static func advertised(
        _ message: Message, _ parse: (Message) throws(NetlinkError) -> NDUserOptionMessage?
    ) -> NetlinkNotification? {
        do throws(NetlinkError) {
            return try parse(message).map { .userOption($0) }
        } catch {
            return nil
        }
    }
}
