import Netlink
import SystemPackage

/// The drivers, asked for their carrier.
final class CarrierOracle {
    private let socket: CarrierSocket
    /// Links whose driver cannot tell. They are not asked again while they live under this name.
    private var silent: Set<String> = []

    init() throws(NetlinkError) {
        socket = try CarrierSocket()
    }

    /// Whether the driver sees carrier; nil where it cannot tell, or where the link is gone already.
    func hasCarrier(_ link: LinkMessage) -> Bool? {
        guard !silent.contains(link.name) else { return nil }
        do throws(NetlinkError) {
            return try socket.hasCarrier(link.name)
        } catch {
            if case .refused(_, .notSupportedOnSocket, _) = error { silent.insert(link.name) }
            return nil
        }
    }
}
