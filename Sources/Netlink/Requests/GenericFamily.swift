import CNetlink
import Glibc
import SystemPackage

/// A family of generic netlink, looked up by its name (`nlctrl`).
struct GenericFamily: Hashable, Sendable {
    let name: String
    /// The message type of its requests and answers.
    let id: UInt16

    /// Nil where the kernel has no such family, as it has no nl80211 without a Wi-Fi driver.
    init?(_ name: String, _ handle: borrowing SocketHandle) throws(NetlinkError) {
        let result = unsafe genl_ctrl_resolve(handle.pointer, name)
        let cause = Errno(rawValue: errno)
        guard result != -NLE_OBJ_NOTFOUND else { return nil }
        guard result >= 0 else { throw .refused(request: "CTRL_CMD_GETFAMILY \(name)", cause, message: nil) }
        self.name = name
        id = UInt16(truncatingIfNeeded: result)
    }

    /// The number of one of the family's multicast groups.
    func group(_ group: String, _ handle: borrowing SocketHandle) throws(NetlinkError) -> CInt {
        let result = unsafe genl_ctrl_resolve_grp(handle.pointer, name, group)
        let cause = Errno(rawValue: errno)
        guard result >= 0 else {
            throw .refused(request: "CTRL_CMD_GETFAMILY \(name), group \(group)", cause, message: nil)
        }
        return result
    }
}
