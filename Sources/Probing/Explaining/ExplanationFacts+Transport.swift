internal import Connectivity
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// The steps between this host and the far end: its own filter, the connection, the proxy, the length of packets.
extension ExplanationFacts {
    /// Where the connection is made to: the proxy's port where there is one.
    var connectPort: UInt16 {
        if let proxy = (try? target.proxyServer()) ?? nil { return UInt16(clamping: proxy.port) }
        return parts?.connectPort ?? 80
    }

    /// Nil where there are local ports, as far as that was asked.
    var portStep: Explanation.Step? { portShortage?.step }

    /// What the target's URL says; nil only where it is none.
    var parts: URLParts? { try? URLParts(target.url) }

    var isHTTP: Bool { parts?.isHTTP ?? true }

    /// What the asked name server says; nil where none is the subject.
    var questionStep: Explanation.Step? {
        guard let result, let parts, parts.scheme == "dns" else { return nil }
        guard result.outcome != .success else {
            return Explanation.Step(
                .names, "\(host) answers for \(parts.queryName) \(parts.recordType.rawValue)\(time(.processing))")
        }
        let culprit = result.reason == .nameServerFailed ? serverCulprit : nil
        var step = Explanation.Step.broken(
            .names, culprit?.finding ?? result.failure ?? "no answer", result.reason, evidence: culprit?.evidence,
            advice: culprit?.advice ?? questionAdvice(result.reason, parts.port ?? 53), command: ask)
        if let culprit { step.blame = culprit.blame }
        return step
    }

    private func questionAdvice(_ reason: ConnectivityReason?, _ port: Int) -> String {
        switch reason {
        case .nameNotFound?: "the server answers: check the spelling of the name, and whether it has this type"
        case .nameHijacked?: "the server knows names that do not exist: ask another one"
        case .unexpectedBody?: "the server answers with another record: see its zone"
        case .bindingRefused?, .interfaceUnusable?, .noRoute?, .gatewayUnreachable?, .reversePathFilter?:
            advice(reason)
        default:
            "is a name server running at \(host), does it serve this host, and does a firewall let port \(port) through?"
        }
    }

    var connectionStep: Explanation.Step? {
        let scheme = parts?.scheme
        guard let result, scheme != "dns" else { return nil }
        if scheme == "icmp" { return echoStep(result) }
        guard result.outcome == .success || wasConnected else { return noConnection(result) }
        return Explanation.Step(
            .connection, "connected to \(result.remoteAddress?.description ?? host)\(time(.connect))")
    }

    private func echoStep(_ result: ProbeResult) -> Explanation.Step {
        let address = result.remoteAddress?.description ?? host
        return switch result.outcome {
        case .success: Explanation.Step(.connection, "\(address) answers an echo request\(time(.processing))")
        case .skipped:
            .broken(
                .connection, "this user may not send ICMP echo requests", result.reason, blame: .host,
                advice: "allow it: sysctl net.ipv4.ping_group_range=\"0 2147483647\"; the network may be well",
                command: "sysctl net.ipv4.ping_group_range")
        case .failure, .portal, .cancelled: noConnection(result)
        }
    }

    /// With a proxy, one that refuses to go on has been connected to.
    private var wasConnected: Bool {
        guard let result else { return false }
        if result.statusCode != nil { return true }
        if result.reason == .proxyRefused { return isProxyListening == true }
        return result.wasConnected
    }

    func advice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .connectionRefused?: "nothing listens there: is the service running, and the port right?"
        case .bindingRefused?: "the kernel refused to bind to the interface: Linux 5.7 or CAP_NET_RAW is needed"
        case .reversePathFilter?: "set net.ipv4.conf.\(interface ?? "IF").rp_filter=2"
        case .gatewayUnreachable?: "is the gateway on, and in this network?"
        case .unreachable?: "a router on the way, or a firewall, says that it cannot be reached"
        case .proxyRefused?: "is the proxy running, and its address right?"
        default: "nothing comes back: a firewall, or a dead network behind the gateway"
        }
    }

    func command(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .reversePathFilter?:
            "sysctl net.ipv4.conf.all.rp_filter net.ipv4.conf.\(interface ?? "default").rp_filter"
        case .bindingRefused?: "uname -r"
        default: ask
        }
    }

    /// Does what the probe did.
    var ask: String {
        guard let parts else { return "curl -sv \(target.url)" }
        let bound = interface.map { " --interface if!\($0)" } ?? ""
        let proxy = target.proxy.map { " -x \($0)" } ?? ""
        switch parts.scheme {
        case "icmp": return "ping -c 3 \(interface.map { "-I \($0) " } ?? "")\(parts.host)"
        case "dns":
            let port = parts.port.map { " -p \($0)" } ?? ""
            return "dig @\(parts.host)\(port) \(parts.queryName) \(parts.recordType.rawValue)"
        case "tcp", "tls": return "nc -vz -w 3 \(parts.host) \(parts.port ?? 0)"
        default: return "curl -sv -m 3\(bound)\(proxy) \(target.url)"
        }
    }

    /// Nil where there is no proxy, or it let the request through.
    var proxyStep: Explanation.Step? {
        guard let proxy = target.proxy, let result else { return nil }
        guard result.reason == .proxyRefused || result.statusCode == 407 else {
            return Explanation.Step(.proxy, "\(proxy) passes it on")
        }
        return .broken(
            .proxy, result.failure ?? "the proxy refuses", .proxyRefused,
            advice: "the proxy answers and does not let it through: does it want a name and a password?", command: ask)
    }

    /// Nil where long packets get through, as far as that can be seen.
    var mtuStep: Explanation.Step? {
        guard smallPacketsPass, let address = result?.remoteAddress ?? destination else { return nil }
        let isIPv4 = address.family == .ipv4
        return .broken(
            .mtu,
            "short packets are answered and long ones are not: they are too long for a link on the way, and nobody says so",
            .timeout,
            advice:
                "lower the MTU (ip link set \(link?.name ?? "IF") mtu 1280), or have routers clamp the MSS and let ICMP through",
            command: "ping -c 1 -M do -s \(isIPv4 ? 1472 : 1452) \(address)")
    }

    func time(_ phase: Phase) -> String {
        guard let nanoseconds = result?.phaseNanoseconds[phase] else { return "" }
        let tenths = nanoseconds / 100_000
        return " in \(tenths / 10).\(tenths % 10) ms"
    }
}
