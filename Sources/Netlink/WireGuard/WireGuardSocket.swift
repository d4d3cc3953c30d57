import CNetlink
import Glibc
import SystemPackage

/// Asks WireGuard where its links send their packets, over generic netlink.
///
/// The kernel answers only those with CAP_NET_ADMIN over the network namespace in which the socket was made. Owned by one
/// actor; it closes its descriptor when it goes.
public struct WireGuardSocket: ~Copyable, Sendable {
    private var conversation: Conversation
    private var family: GenericFamily?
    private var isRefused = false

    public init() throws(NetlinkError) {
        conversation = try Conversation(protocol: NETLINK_GENERIC)
    }

    /// What is known of a link of the kind `wireguard`; nil where the kernel does not tell this process, or there is no
    /// such link any more. Once refused it does not ask again.
    public mutating func device(index: UInt32) throws(NetlinkError) -> WireGuardDevice? {
        guard !isRefused, let family = try find() else { return nil }
        let header = genlmsghdr(cmd: UInt8(WG_CMD_GET_DEVICE.rawValue), version: 1, reserved: 0)
        let request = try NetlinkRequest(
            Int(family.id), named: "WG_CMD_GET_DEVICE", about: .link(index), dump: true, header: header)
        try request.put(Int(WGDEVICE_A_IFINDEX.rawValue), index)
        do throws(NetlinkError) {
            return WireGuardPart.joined(try conversation.dump(request, WireGuardParser.parse).values)
        } catch {
            guard case .refused(_, let errno, _) = error else { throw error }
            isRefused = errno == .notPermitted || errno == .permissionDenied
            // It has another number once its module was unloaded and loaded again.
            if errno == .noSuchFileOrDirectory { self.family = nil }
            return nil
        }
    }

    /// The module brings the family along, so that it is there once a link is.
    private mutating func find() throws(NetlinkError) -> GenericFamily? {
        if family == nil { family = try GenericFamily("wireguard", conversation.handle) }
        return family
    }
}
