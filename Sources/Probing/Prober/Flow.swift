internal import Glibc
internal import Netlink
internal import NetworkAddress

/// Which packets go to a destination, as far as policy rules tell them apart.
struct Flow: Hashable, Sendable {
    let ipProtocol: UInt8
    /// The destination's; nil where the protocol has none.
    let port: UInt16?

    private init(_ ipProtocol: Int, port: Int?) {
        self.ipProtocol = UInt8(ipProtocol)
        self.port = port.map { UInt16(clamping: $0) }
    }

    /// Those of a connection.
    static func tcp(port: Int) -> Flow { Flow(IPPROTO_TCP, port: port) }

    /// Those of a question to a name server.
    static func udp(port: Int) -> Flow { Flow(IPPROTO_UDP, port: port) }

    /// Those of an echo.
    static func icmp(_ family: AddressFamily) -> Flow {
        Flow(family == .ipv4 ? IPPROTO_ICMP : IPPROTO_ICMPV6, port: nil)
    }

    /// What `ip route get` calls it.
    var words: String {
        let name =
            switch Int(ipProtocol) {
            case IPPROTO_TCP: "tcp"
            case IPPROTO_UDP: "udp"
            case IPPROTO_ICMP: "icmp"
            default: "ipv6-icmp"
            }
        return " ipproto \(name)" + (port.map { " dport \($0)" } ?? "")
    }
}

extension RuleMessage {
    /// Whether it tells one flow from another.
    var looksAtFlows: Bool { ipProtocol != nil || sourcePorts != nil || destinationPorts != nil }

    /// Whether it means a flow, of which the source's port is not known.
    func means(_ flow: Flow?) -> Bool {
        guard ipProtocol == nil || ipProtocol == flow?.ipProtocol, sourcePorts == nil else { return false }
        guard let destinationPorts else { return true }
        return flow?.port.map(destinationPorts.contains) ?? false
    }
}
