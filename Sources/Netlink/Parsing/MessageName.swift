import CNetlink

/// Names messages as the kernel's headers do, for errors.
enum MessageName {
    static func of(_ type: Int) -> String {
        names[type] ?? "message of type \(type)"
    }

    private static let names: [Int: String] = [
        Int(NLMSG_ERROR): "NLMSG_ERROR", Int(NLMSG_DONE): "NLMSG_DONE",
        RTM_NEWLINK: "RTM_NEWLINK", RTM_DELLINK: "RTM_DELLINK", RTM_GETLINK: "RTM_GETLINK",
        RTM_NEWADDR: "RTM_NEWADDR", RTM_DELADDR: "RTM_DELADDR", RTM_GETADDR: "RTM_GETADDR",
        RTM_NEWROUTE: "RTM_NEWROUTE", RTM_DELROUTE: "RTM_DELROUTE", RTM_GETROUTE: "RTM_GETROUTE",
        RTM_NEWRULE: "RTM_NEWRULE", RTM_DELRULE: "RTM_DELRULE", RTM_GETRULE: "RTM_GETRULE",
        RTM_NEWNEXTHOP: "RTM_NEWNEXTHOP", RTM_DELNEXTHOP: "RTM_DELNEXTHOP", RTM_GETNEXTHOP: "RTM_GETNEXTHOP",
        RTM_NEWNETCONF: "RTM_NEWNETCONF", RTM_DELNETCONF: "RTM_DELNETCONF", RTM_GETNETCONF: "RTM_GETNETCONF",
    ]
}
