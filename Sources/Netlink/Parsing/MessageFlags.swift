/// The flags in a message's header (`NLM_F_*` of `linux/netlink.h`) that matter in answers.
struct MessageFlags: OptionSet {
    let rawValue: UInt16

    /// NLM_F_MULTI: more messages follow, up to NLMSG_DONE.
    static let multipart = MessageFlags(rawValue: 0x02)
    /// NLM_F_DUMP_INTR: what is dumped changed meanwhile.
    static let interruptedDump = MessageFlags(rawValue: 0x10)
    /// NLM_F_CAPPED, in NLMSG_ERROR: the request's payload is not repeated.
    static let capped = MessageFlags(rawValue: 0x100)
    /// NLM_F_ACK_TLVS, in NLMSG_ERROR and NLMSG_DONE: attributes explain the error.
    static let hasExplanation = MessageFlags(rawValue: 0x200)
}
