internal import Connectivity
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// What an explanation is about.
struct Subject: Sendable {
    let target: Target
    /// What its URL says.
    let parts: URLParts
    /// The host that the connection is made to: the target's, or the proxy's.
    let host: String
    /// The interface that was asked for; nil for the one the kernel chooses.
    let interface: String?
    let path: Path

    init(of probe: Probe, by path: Path) throws(TargetError) {
        target = probe.target
        parts = try URLParts(target.url)
        host = probe.firstHop(parts)
        interface = probe.interface
        self.path = path
    }

    /// Whether a family leads out: by the interface that was asked for, where there is one.
    func isUsable(_ family: AddressFamily) -> Bool {
        guard let interface else { return path[family].isUsable }
        return path.interface(named: interface)?[family].isUsable == true
    }

    /// Where the connection is made to: the proxy's port where there is one.
    var connectPort: UInt16 { proxyPort.map { UInt16(clamping: $0) } ?? parts.connectPort }

    private var proxyPort: Int? { (try? target.proxyServer())??.port }

    /// The packets that go to it first.
    func flow(to destination: IPAddress) -> Flow {
        if let proxyPort { return .tcp(port: proxyPort) }
        switch parts.scheme {
        case "icmp": return .icmp(destination.family)
        case "dns": return .udp(port: parts.port ?? 53)
        default: return .tcp(port: parts.port ?? (parts.isSecure ? 443 : 80))
        }
    }

    /// The command that does what the probe did.
    var ask: String {
        let bound = interface.map { " --interface if!\($0)" } ?? ""
        let proxy = target.proxy.map { " -x \(URLParts.withoutUser($0))" } ?? ""
        switch parts.scheme {
        case "icmp": return "ping -c 3 \(interface.map { "-I \($0) " } ?? "")\(parts.host)"
        case "dns":
            let port = parts.port.map { " -p \($0)" } ?? ""
            return "dig @\(parts.host)\(port) \(parts.queryName) \(parts.recordType.rawValue)"
        case "tcp", "tls": return "nc -vz -w 3 \(parts.host) \(parts.port ?? 0)"
        default: return "curl -sv -m 3\(bound)\(proxy) \(URLParts.withoutUser(target.url))"
        }
    }
}
