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
    /// The only family that may be used; nil for either.
    let family: AddressFamily?
    let path: Path

    init(of probe: Probe, by path: Path) throws(TargetError) {
        target = probe.target
        parts = try URLParts(target.url)
        host = probe.firstHop(parts)
        interface = probe.interface
        family = probe.family
        self.path = path
    }

    /// Whether a family leads out: by the interface that was asked for, where there is one.
    func isUsable(_ family: AddressFamily) -> Bool {
        guard let interface else { return path[family].isUsable }
        return path.interface(named: interface)?[family].isUsable == true
    }

    /// Nil where the host can be asked by the family that is to be used.
    var misfit: Explanation.Step? {
        guard let family, let address = IPAddress(host), address.family != family else { return nil }
        let subject = target.proxy == nil ? host : "the proxy \(host)"
        return .broken(
            .target, "\(subject) is no \(family.words) address", nil, blame: .host,
            advice: "ask by the other family (-4, -6, or \"family\" in the file), or name a host that has one")
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

    /// The family that a command has to be told: an address has its own.
    var namedFamily: AddressFamily? { IPAddress(host) == nil ? family : nil }

    /// What commands call a family, as the first of their options.
    static func option(_ family: AddressFamily?) -> String {
        switch family {
        case .ipv4?: " -4"
        case .ipv6?: " -6"
        case nil: ""
        }
    }

    /// The URL as a word of a shell.
    var shellURL: String { ShellQuoting.quote(URLParts.withoutUser(target.url)) }

    /// The command that does what the probe did.
    var ask: String { ask() }

    /// - Parameters:
    ///   - family: The only family to use; nil for the one that was asked for.
    ///   - address: The one of the name's addresses to ask; nil for any.
    func ask(by family: AddressFamily? = nil, at address: IPAddress? = nil) -> String {
        let option = Self.option(family ?? namedFamily)
        let place = ShellQuoting.quote(address?.description ?? parts.host)
        switch parts.scheme {
        case "icmp":
            let bound = interface.map { " -I \(ShellQuoting.quote($0))" } ?? ""
            return "ping\(option) -c 3\(bound) \(place)"
        case "dns":
            let port = parts.port.map { " -p \($0)" } ?? ""
            return "dig\(option) @\(place)\(port) \(ShellQuoting.quote(parts.queryName)) \(parts.recordType.rawValue)"
        case "tcp", "tls": return "nc\(option) -vz -w 3 \(place) \(parts.port ?? 0)"
        default:
            let bound = interface.map { " --interface \(ShellQuoting.quote("if!\($0)"))" } ?? ""
            let proxy = target.proxy.map { " -x \(ShellQuoting.quote(URLParts.withoutUser($0)))" } ?? ""
            let resolved =
                address.map { " --resolve \(ShellQuoting.quote("\(parts.host):\(parts.connectPort):\($0)"))" } ?? ""
            return "curl\(option) -sv -m 3\(bound)\(proxy)\(resolved) \(shellURL)"
        }
    }

    /// The command that looks the host's name up at a name server; nil for the one that this host asks.
    ///
    /// - Parameter asked: The name with its search domain, which `dig` does not add; nil for the host's as it is.
    func lookUp(at server: String?, for asked: String? = nil) -> String {
        let name = ShellQuoting.quote(asked ?? host)
        guard let server else { return "resolvectl query\(Self.option(namedFamily)) \(name)" }
        return "dig @\(server) \(name)\(namedFamily == .ipv6 ? " AAAA" : "")"
    }
}
