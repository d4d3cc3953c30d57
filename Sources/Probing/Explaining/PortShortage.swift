internal import Connectivity
internal import Glibc
internal import NetworkAddress
internal import Reachability
internal import SystemPackage

/// No local port is left for another connection to one host: each is taken by one that is open or has just been closed.
struct PortShortage: Sendable {
    let address: IPAddress
    let port: UInt16
    /// The ports that the kernel takes of its own accord, as sysctl prints them; nil where that cannot be read.
    let range: String?

    var step: Explanation.Step {
        let place = "\(address) port \(port)"
        return .broken(
            .host, "no local port is left for another connection to \(place)", .overloaded,
            evidence:
                "connect(2) says EADDRNOTAVAIL at once, though this host has an address for it; the ports are \(range ?? "few") (ip_local_port_range)",
            advice: """
                see what holds them and have it close or keep its connections, or widen the range: \
                sysctl -w net.ipv4.ip_local_port_range="1024 65535"
                """,
            command: "ss -tan dst \(address)")
    }
}

extension Prober {
    /// Nil where a connection to a host gets a local port.
    func portShortage(to address: IPAddress?, port: UInt16, _ probe: Probe) -> PortShortage? {
        guard let address, connectFailure(.stream, address, port, probe) == .addressNotAvailable,
            // An address that is missing is missed by a datagram, too.
            connectFailure(CInt(SOCK_DGRAM.rawValue), address, port, probe) == nil
        else { return nil }
        let range = TextFile.read("/proc/sys/net/ipv4/ip_local_port_range")?
            .split { $0 == "\t" || $0 == "\n" || $0 == " " }.joined(separator: "-")
        return PortShortage(address: address, port: port, range: range)
    }

    /// What connect(2) says at once; nil where it goes on.
    func connectFailure(_ type: CInt, _ address: IPAddress, _ port: UInt16, _ probe: Probe) -> Errno? {
        do throws(Errno) {
            let socket = try ProbeSocket(address.family, type: type, protocol: 0)
            if let interface = probe.interface { try socket.bind(to: interface) }
            try socket.connect(to: address, port: port)
            return nil
        } catch {
            return error
        }
    }
}
