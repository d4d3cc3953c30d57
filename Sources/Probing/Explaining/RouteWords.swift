internal import Netlink
internal import NetworkAddress

/// Routes and rules as `ip` prints them.
extension IPPrefix {
    /// `default`, `192.0.2.0/24`, or an address alone where the block is only that.
    var words: String {
        if length == 0 { return "default" }
        return length == address.family.bitWidth ? address.description : description
    }
}

/// A routing table by its name, as far as every host has it (`rt_tables(5)`), else by its number.
func tableName(_ table: UInt32) -> String {
    switch table {
    case 253: "default"
    case 254: "main"
    case 255: "local"
    default: "\(table)"
    }
}

extension RouteMessage {
    /// `default via 192.0.2.1 dev eth0`, or `default dev tun0` where there is no next router.
    func words(gateway: IPAddress?, device: String) -> String {
        let family = destination.address.family
        let other = gateway.map { $0.family == family ? "" : $0.family == .ipv4 ? "inet " : "inet6 " } ?? ""
        return "\(destination.words)\(gateway.map { " via \(other)\($0)" } ?? "") dev \(device)"
    }
}

extension ClosedRange<UInt16> {
    /// One port, or the first and the last.
    var portWords: String { lowerBound == upperBound ? "\(lowerBound)" : "\(lowerBound)-\(upperBound)" }
}
