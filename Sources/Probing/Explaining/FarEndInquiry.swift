internal import Connectivity
internal import EventLoop
internal import NetworkAddress
internal import Reachability
internal import RequestEngine
internal import SystemPackage

/// Sends the probe itself and, where it fails, asks what can be asked about that. It stays on the prober's loop.
actor FarEndInquiry {
    private let prober: Prober
    private let probe: Probe
    private let subject: Subject
    private let addresses: [IPAddress]
    /// Whether the subject is an address of this host's own.
    private let isLocal: Bool
    private let filter: OwnFilter
    private var facts = FarEndFacts()
    private var host = HostFacts()

    /// What a filter of this host's own could be behind.
    private static let ofConnection: Set<ConnectivityReason> = [
        .connectTimeout, .unreachable, .proxyRefused, .connectionRefused,
    ]

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe prober.loop.asUnownedSerialExecutor() }

    init(about subject: Subject, _ probe: Probe, _ addresses: [IPAddress], isLocal: Bool, _ prober: Prober) {
        self.prober = prober
        self.probe = probe
        self.subject = subject
        self.addresses = addresses
        self.isLocal = isLocal
        filter = OwnFilter(by: probe.interface, prober.loop)
    }

    /// Whether a client's certificate that was not shown could be behind it: the handshake or the connection ended, or the
    /// answer forbids (nginx: 400).
    private static func mayLackCertificate(_ result: ProbeResult) -> Bool {
        switch result.reason {
        case .tlsFailed?, .connectionLost?: true
        case .unexpectedStatus?: result.statusCode.map { [400, 401, 403, 495, 496].contains($0) } ?? false
        default: false
        }
    }

    func look(until deadline: MonotonicTime) async -> (FarEndFacts, HostFacts) {
        let parts = subject.parts
        // Most targets answer, and then these are cancelled.
        async let passes = passesInSmallPackets(after: probe.timeout / 3)
        async let drops = ownDrops(after: probe.timeout / 3)
        let result = await prober.result(of: probe, at: addresses)
        facts.result = result
        if result.outcome == .success, probe.target.eachAddress, IPAddress(parts.host) == nil {
            facts.eachAddress = await prober.resultOfEachAddress(probe.ending(at: deadline), parts).addresses
        } else if result.outcome == .success {
            facts.otherFamily = await otherFamily(result, probe.ending(at: deadline))
        } else if result.reason.map(Self.ofConnection.contains) == true, result.statusCode == nil {
            await askFilter(result)
            if result.reason == .connectTimeout {
                host.drops = await drops
                // A filter that drops datagrams may let connections out, and an echo request that it drops is told of at once.
                if host.drops == nil { host.refusal = nil }
            }
            facts.isProxyListening = await isProxyListening()
        } else if result.reason == .overloaded {
            let address = result.remoteAddress ?? addresses.first
            host.portShortage =
                parts.scheme == "dns"
                ? .found(askingAt: address, port: UInt16(clamping: parts.port ?? 53), by: probe.interface)
                : .found(connectingTo: address, port: subject.connectPort, by: probe.interface)
        } else if result.reason == .timeout {
            // What answers now in packets of any length has hung a moment ago, or hangs at times.
            facts.smallPacketsPass = await passes
            if facts.smallPacketsPass { facts.smallPacketsPass = await !passesInUsualPackets() }
        } else if result.reason == .certificateExpired || result.reason == .certificateNotYetValid {
            facts.serverTime = await serverTime()
        } else if result.reason == .notPermitted, parts.scheme == "dns" {
            host.refusal = filter.refusal(
                of: result.remoteAddress ?? addresses.first, port: UInt16(clamping: parts.port ?? 53))
        } else if result.reason == .bindingRefused, probe.interface == nil {
            // Nothing was to be bound: a filter has said so to an echo request.
            host.refusal = .notPermitted
        } else if Self.mayLackCertificate(result) {
            facts.wantsClientCertificate = await wantsClientCertificate()
        }
        return (facts, host)
    }

    /// Whether this host itself is what refuses: its filter, or a lack of ports.
    private func askFilter(_ result: ProbeResult) async {
        let address = result.remoteAddress ?? addresses.first
        let port = subject.connectPort
        host.refusal = filter.refusal(of: address, port: port)
        guard subject.isConnection, let address else { return }
        if ProbeSocket.connectFailure(.stream, address, port, by: probe.interface) == .notPermitted {
            host.refusal = .notPermitted
        } else if host.refusal != nil, await isRefusedFromAfar(result, address, port) {
            host.refusal = nil
            return
        }
        guard host.refusal == nil else { return }
        host.portShortage = .found(connectingTo: address, port: port, by: probe.interface)
        guard host.portShortage == nil, result.reason != .connectTimeout, !isLocal else { return }
        host.refusesConnection = await filter.refuses(address, port: port) == true
    }

    /// Whether a connection is refused by its peer: the filter that refuses datagrams lets connections out.
    private func isRefusedFromAfar(_ result: ProbeResult, _ address: IPAddress, _ port: UInt16) async -> Bool {
        guard result.reason != .connectTimeout, !isLocal else { return false }
        return await filter.refuses(address, port: port) == false
    }

    private func ownDrops(after delay: Duration) async -> OwnDrops? {
        guard subject.isConnection, let address = addresses.first else { return nil }
        return await filter.drops(to: address, port: subject.connectPort, after: delay, within: probe.timeout)
    }

    /// One family may hide that the other is dead: connections fall back to it.
    private func otherFamily(_ result: ProbeResult, _ probe: Probe) async -> ProbeResult? {
        guard probe.family == nil, let used = result.remoteAddress?.family else { return nil }
        let others = addresses.filter { $0.family != used && subject.isUsable($0.family) }
        guard let family = others.first?.family else { return nil }
        var other = probe
        other.family = family
        return await prober.result(of: other, at: others)
    }

    /// Whether the proxy takes connections at all; nil where there is none.
    private func isProxyListening() async -> Bool? {
        guard let proxy = (try? probe.target.proxyServer()) ?? nil else { return nil }
        let result = await prober.tcp.result(
            of: probe, at: addresses, port: UInt16(clamping: proxy.port), timeout: .milliseconds(500))
        return result.outcome == .success
    }

    /// Whether a target that stays silent answers where no packet is longer than any link carries (RFC 9293, section
    /// 3.7.1).
    private func passesInSmallPackets(after delay: Duration) async -> Bool {
        guard subject.parts.isCurls, (try? await prober.loop.sleep(for: delay)) != nil else { return false }
        return await answers(within: probe.timeout - delay, segments: Self.shortestSegment)
    }

    /// Whether it does so on another connection like the one that nothing came by.
    private func passesInUsualPackets() async -> Bool {
        await answers(within: min(probe.timeout / 2, .seconds(1)), segments: nil)
    }

    private func answers(within timeout: Duration, segments: Int?) async -> Bool {
        do throws(RequestError) {
            _ = try await prober.response(for: probe, subject.parts, addresses, timeout: timeout, segments: segments)
            return true
        } catch {
            // A certificate that is not trusted has come all the same.
            if case .untrusted = error.reason { return true }
            return false
        }
    }

    private static let shortestSegment = 536

    /// The time at a host, as its web server writes it in an answer without TLS.
    private func serverTime() async -> Int64? {
        let parts = subject.parts
        let host = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
        guard let plain = try? Target("http://\(host)/"), let parts = try? URLParts(plain.url) else { return nil }
        var question = probe
        question.target = plain
        let response = try? await prober.response(
            for: question, parts, addresses, timeout: min(probe.timeout / 2, .seconds(1)))
        return response.flatMap { Reply($0).header("Date") }.flatMap(HTTPDate.parse)
    }

    /// Whether the server asks for the client's certificate in the handshake.
    private func wantsClientCertificate() async -> Bool {
        guard subject.parts.isSecure, probe.target.proxy == nil else { return false }
        do throws(RequestError) {
            return try await prober.response(
                for: probe, subject.parts, addresses, timeout: min(probe.timeout, .seconds(1))
            ).metrics.wantsClientCertificate
        } catch {
            return error.metrics.wantsClientCertificate
        }
    }
}

extension Subject {
    /// Whether it is reached by a TCP connection.
    fileprivate var isConnection: Bool { parts.isCurls || parts.scheme == "tcp" }
}
