import CNetlink
import Testing

@testable import Netlink

extension RequestSocket {
    /// All links, with something done while the answer is being read: after the first of each attempt, before the rest.
    ///
    /// - Parameter disturb: Is given the number of the attempt, from 1 on.
    /// - Returns: What came of it, and after how many attempts.
    mutating func links(_ disturb: (Int) throws -> Void) throws -> (dump: Dump<LinkMessage>, attempts: Int) {
        var attempts = 0
        let request = try NetlinkRequest(RTM_GETLINK, dump: true, header: ifinfomsg())
        let dump = try conversation.dump(request) { (message) throws(NetlinkError) -> LinkMessage? in
            guard case .link(.new, let link) = try NetlinkMessageParser.parse(message) else { return nil }
            if link.index == 1 {
                attempts += 1
                #expect(throws: Never.self) { try disturb(attempts) }
            }
            return link
        }
        return (dump, attempts)
    }
}
