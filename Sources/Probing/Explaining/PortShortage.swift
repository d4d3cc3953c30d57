internal import Connectivity
internal import NetworkAddress
internal import Reachability
internal import SystemPackage

/// No local port is left for another connection or question to one host: each is taken by one that is open or has just been
/// closed.
struct PortShortage: Sendable {
    let address: IPAddress
    let port: UInt16
    /// What connect(2) says at once.
    let errno: Errno
    /// Whether it is a question by UDP, and no connection.
    let isQuestion: Bool
    /// The ports that the kernel takes of its own accord, as sysctl prints them; nil where that cannot be read.
    let range: String?

    var step: Explanation.Step {
        let place = "\(address) port \(port)"
        return .broken(
            .host, "no local port is left for another \(isQuestion ? "question" : "connection") to \(place)",
            .overloaded,
            evidence: """
                connect(2) says \(errno == .addressNotAvailable ? "EADDRNOTAVAIL" : "EAGAIN") at once, though this host has \
                an address for it; the ports are \(range ?? "few") (ip_local_port_range)
                """,
            advice: """
                see what holds them and have it close or keep its connections, or widen the range: \
                sysctl -w net.ipv4.ip_local_port_range="1024 65535"
                """,
            command: isQuestion ? "ss -uan" : "ss -tan dst \(filter)")
    }

    /// ss(8) takes the last group of a bare IPv6 address for a port, and a shell a bracket for a pattern.
    private var filter: String { address.family == .ipv4 ? "\(address)" : "'[\(address)]'" }
}

extension PortShortage {
    /// Nil where a connection to a host gets a local port.
    static func found(connectingTo address: IPAddress?, port: UInt16, by interface: String?) -> PortShortage? {
        guard let address, ProbeSocket.connectFailure(.stream, address, port, by: interface) == .addressNotAvailable,
            // An address that is missing is missed by a datagram, too.
            !ProbeSocket.lacksSource(to: address, by: interface)
        else { return nil }
        return PortShortage(address: address, port: port, errno: .addressNotAvailable, isQuestion: false, range: range)
    }

    /// Nil where a question to a name server gets a local port. A datagram is refused one with EAGAIN (inet_autobind).
    static func found(askingAt address: IPAddress?, port: UInt16 = 53, by interface: String?) -> PortShortage? {
        let missing = Errno.resourceTemporarilyUnavailable
        guard let address, ProbeSocket.connectFailure(.datagram, address, port, by: interface) == missing else {
            return nil
        }
        return PortShortage(address: address, port: port, errno: missing, isQuestion: true, range: range)
    }

    private static var range: String? {
        TextFile.read("/proc/sys/net/ipv4/ip_local_port_range")?
            .split { $0 == "\t" || $0 == "\n" || $0 == " " }.joined(separator: "-")
    }
}
