import CNetlink
import NetworkAddress
import SystemPackage

/// What NLMSG_ERROR, or NLMSG_DONE at the end of a dump, says: an errno, and the kernel's own words for it
/// (`NETLINK_EXT_ACK`, `netlink(7)`).
struct ErrorReply {
    /// Nil where the message is an acknowledgement.
    var errno: Errno?
    var text: String?

    /// Reads a message of one of these two types.
    init(_ message: Message) throws(NetlinkError) {
        let code = message.payload.count >= MemoryLayout<CInt>.size ? message.payload.load(CInt.self) : 0
        guard code < 0 else { return }
        // Not `-code`: the smallest number has no counterpart.
        errno = Errno(rawValue: CInt(clamping: -Int64(code)))
        guard message.flags.contains(.hasExplanation) else { return }
        try Self.attributes(of: message).forEach { (attribute) throws(NetlinkError) in
            if attribute.type == Int(NLMSGERR_ATTR_MSG.rawValue) { text = attribute.string() }
        }
    }

    /// An error repeats the request's header, and its payload too unless it is capped (NETLINK_CAP_ACK).
    @_lifetime(copy message)
    private static func attributes(of message: Message) -> Attributes {
        guard message.type == Int(NLMSG_ERROR) else { return message.attributes(after: CInt.self) }
        var attributes = message.attributes(after: nlmsgerr.self)
        if !message.flags.contains(.capped), message.payload.count >= MemoryLayout<nlmsgerr>.size {
            let request = message.payload.load(nlmsgerr.self).msg.nlmsg_len
            let payload = (max(Message.headerSize, Int(request)) - Message.headerSize + 3) & ~3
            attributes = Attributes(
                bytes: attributes.bytes.extracting(droppingFirst: payload), message: message.type)
        }
        return attributes
    }
}
