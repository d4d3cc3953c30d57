internal import Connectivity
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import Resolver

/// The steps between this host and the far end: its own filter, the connection, the proxy, the length of packets.
struct TransportSteps {
    let facts: ExplanationFacts
    private var subject: Subject { facts.subject }
    private var result: ProbeResult? { facts.farEnd.result }

    /// Nil where there are local ports, as far as that was asked.
    var port: Explanation.Step? { facts.host.portShortage?.step }

    /// What the asked name server says; nil where none is the subject.
    var question: Explanation.Step? {
        guard let result, case let parts = subject.parts, parts.scheme == "dns" else { return nil }
        guard result.outcome != .success else {
            return Explanation.Step(
                .names,
                "\(subject.host) answers for \(parts.queryName) \(parts.recordType.rawValue)\(facts.farEnd.time(.processing))"
            )
        }
        let culprit = result.reason == .nameServerFailed ? ServerFault(facts: facts).found : nil
        var step = Explanation.Step.broken(
            .names, culprit?.finding ?? result.failure ?? "no answer", result.reason,
            blame: Self.blame(result.reason), evidence: culprit?.evidence,
            advice: culprit?.advice ?? questionAdvice(result.reason, parts.port ?? 53), command: subject.ask)
        if let culprit { step.blame = culprit.blame }
        return step
    }

    private func questionAdvice(_ reason: ConnectivityReason?, _ port: Int) -> String {
        switch reason {
        case .nameNotFound?: "the server answers: check the spelling of the name, and whether it has this type"
        case .nameHijacked?: "the server knows names that do not exist: ask another one"
        case .unexpectedBody?: "the server answers with another record: see its zone"
        case .bindingRefused?, .interfaceUnusable?, .noRoute?, .gatewayUnreachable?, .reversePathFilter?, .overloaded?:
            advice(reason)
        default:
            "is a name server running at \(subject.host), does it serve this host, and does a firewall let port \(port) through?"
        }
    }

    var connection: Explanation.Step? {
        let scheme = subject.parts.scheme
        guard let result, scheme != "dns" else { return nil }
        if scheme == "icmp" { return echoStep(result) }
        guard result.outcome == .success || wasConnected else { return noConnection(result) }
        return Explanation.Step(
            .connection,
            "connected to \(result.remoteAddress?.description ?? subject.host)\(facts.farEnd.time(.connect))")
    }

    private func echoStep(_ result: ProbeResult) -> Explanation.Step {
        let address = result.remoteAddress?.description ?? subject.host
        return switch result.outcome {
        case .success:
            Explanation.Step(.connection, "\(address) answers an echo request\(facts.farEnd.time(.processing))")
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
        if result.reason == .proxyRefused { return facts.farEnd.isProxyListening == true }
        return result.wasConnected
    }

    // MARK: A connection that did not come about

    private func noConnection(_ result: ProbeResult) -> Explanation.Step {
        let failure = result.failure ?? "no connection"
        let isSilent = result.reason == .connectTimeout
        guard isSilent || result.reason == .unreachable, let silence = SilentWay(facts: facts).fault else {
            return isSilent ? lonelySilence(result, failure) : refusal(result, failure)
        }
        var step = Explanation.Step.broken(
            kind, silence.finding, result.reason, evidence: "\(failure); \(silence.evidence)",
            advice: isSilent ? silence.advice : "\(advice(.unreachable)); \(silence.advice)",
            command: silence.command ?? command(result.reason))
        step.blame = silence.blame
        return step
    }

    private var kind: Explanation.Kind { subject.target.proxy == nil ? .connection : .proxy }

    /// Others answer, or were not asked.
    private func lonelySilence(_ result: ProbeResult, _ failure: String) -> Explanation.Step {
        let address = result.remoteAddress?.description ?? subject.host
        let place = subject.parts.scheme == "icmp" ? address : "\(address) port \(subject.connectPort)"
        guard !facts.way.isLocal else { return ownSilence(result, place, failure) }
        let router = SilentWay(facts: facts).livingRouter
        let living =
            facts.elsewhere?.living(.reference).map { "; \($0.host) answers on the same way" }
            ?? router.map { "; the gateway \($0.host) answers on the same link" }
        var step = Explanation.Step.broken(
            kind, "nothing comes back from \(place)", result.reason, evidence: failure + (living ?? ""),
            advice: living == nil
                ? advice(result.reason)
                : router == nil
                    ? "nothing comes back: the host is down, or a firewall there or on the way drops it"
                    : "nothing comes back: a firewall on the host drops it, or it has just gone",
            command: command(result.reason))
        // No other host on this way could be asked.
        if facts.way.gateway != nil, let elsewhere = facts.elsewhere, elsewhere.asked(.reference).isEmpty {
            step.blame = nil
        }
        return step
    }

    /// No network is between.
    private func ownSilence(_ result: ProbeResult, _ place: String, _ failure: String) -> Explanation.Step {
        .broken(
            kind, "nothing comes back from \(place), which is this host itself", result.reason, evidence: failure,
            advice: "a filter of this host's own drops it, or the program that listens there takes no more connections",
            command: "ss -tln; nft list ruleset")
    }

    private func refusal(_ result: ProbeResult, _ failure: String) -> Explanation.Step {
        .broken(
            kind, failure, result.reason, blame: Self.blame(result.reason), advice: advice(result.reason),
            command: command(result.reason))
    }

    /// Nil where it is the far end's.
    static func blame(_ reason: ConnectivityReason?) -> TargetHealth.Blame? {
        switch reason {
        case .bindingRefused?, .reversePathFilter?, .overloaded?, .notPermitted?, .certificateIssuer?: .host
        case .interfaceUnusable?, .noRoute?, .noPath?: .path
        case .gatewayUnreachable?, .unreachable?: .uplink
        default: nil
        }
    }

    private func advice(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .connectionRefused?: "nothing listens there: is the service running, and the port right?"
        case .bindingRefused?: "the kernel refused to bind to the interface: Linux 5.7 or CAP_NET_RAW is needed"
        case .reversePathFilter?: "set \(filterSetting("IF"))=2"
        case .gatewayUnreachable?: "is the gateway on, and in this network?"
        case .unreachable?: "a router on the way, or a firewall, says that it cannot be reached"
        case .proxyRefused?: "is the proxy running, and its address right?"
        // No certificate has come before there is a connection: there is none to hold it against.
        case .overloaded?, .certificateIssuer?: "nothing was sent: this host lacks what is named here"
        default: "nothing comes back: a firewall, or a dead network behind the gateway"
        }
    }

    private func command(_ reason: ConnectivityReason?) -> String {
        switch reason {
        case .reversePathFilter?:
            "sysctl net.ipv4.conf.all.rp_filter \(filterSetting("default"))"
        case .bindingRefused?: "uname -r"
        default: subject.ask
        }
    }

    /// A dot of an interface's name is a slash to sysctl(8).
    private func filterSetting(_ other: String) -> String {
        "net.ipv4.conf.\((subject.interface ?? other).replacing(".", with: "/")).rp_filter"
    }

    /// Nil where there is no proxy, or it let the request through.
    var proxy: Explanation.Step? {
        guard let proxy = subject.target.proxy, let result else { return nil }
        guard result.reason == .proxyRefused || result.statusCode == 407 else {
            return Explanation.Step(.proxy, "\(URLParts.withoutUser(proxy)) passes it on")
        }
        return .broken(
            .proxy, result.failure ?? "the proxy refuses", .proxyRefused,
            advice: "the proxy answers and does not let it through: does it want a name and a password?",
            command: subject.ask)
    }

    /// Nil where long packets get through, as far as that can be seen.
    var mtu: Explanation.Step? {
        guard facts.farEnd.smallPacketsPass, let address = result?.remoteAddress ?? facts.way.destination else {
            return nil
        }
        // What is left of the link's own packets without the headers of IP and ICMP.
        let length = Int(facts.way.link?.mtu ?? 1500) - (address.family == .ipv4 ? 28 : 48)
        let bound = subject.interface.map { " -I \(ShellQuoting.quote($0))" } ?? ""
        return .broken(
            .mtu,
            "short packets are answered and long ones are not: they are too long for a link on the way, and nobody says so",
            .timeout,
            advice:
                "lower the MTU (ip link set \(facts.way.link?.name ?? "IF") mtu 1280), or have routers clamp the MSS and let ICMP through",
            command: "ping -c 1 -M do\(bound) -s \(length) \(address)")
    }
}
