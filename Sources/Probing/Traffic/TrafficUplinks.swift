internal import Connectivity
internal import Netlink
internal import NetworkAddress
internal import Reachability

/// Which uplink a connection leaves by.
///
/// A socket that is bound to a device leaves by that. Any other leaves by the route, so that its own address tells the uplink
/// only where it is that of an interface in use: a connection that began over another one leaves by the route's now, and
/// says nothing.
struct TrafficUplinks: Sendable {
    struct Key: Hashable {
        let interface: String
        let family: AddressFamily
    }

    private var bound: [UInt32: String] = [:]
    private var routed: [IPAddress: String] = [:]
    private var near: [IPPrefix] = []

    init(_ path: Path) {
        for interface in path.interfaces where interface.isUp {
            if interface.isUsable { bound[interface.index] = interface.name }
            for address in interface.addresses {
                if Self.isInUse(interface.name, address.address.family, path) {
                    routed[address.address] = interface.name
                }
                IPPrefix(address.address, length: Int(address.prefixLength)).map { near.append($0) }
            }
        }
    }

    /// Whether traffic of a family leaves by an interface where it is not bound to another.
    private static func isInUse(_ name: String, _ family: AddressFamily, _ path: Path) -> Bool {
        path[family].isUsable && (path[family].interface == name || path[family].legInterfaces.contains(name))
    }

    /// Nil for a connection that says nothing of an uplink: to this host, to its own link or to a private address.
    func uplink(of socket: TCPSocketMessage) -> Key? {
        let peer = socket.destination
        let name = socket.boundInterface.map { bound[$0] } ?? routed[socket.source]
        guard let name, !peer.isPrivate, !near.contains(where: { $0.contains(peer) }) else { return nil }
        return Key(interface: name, family: peer.family)
    }
}
