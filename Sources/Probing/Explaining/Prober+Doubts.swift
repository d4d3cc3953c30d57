internal import Connectivity
internal import EventLoop
internal import Glibc
internal import NetworkAddress
internal import RequestEngine
internal import Resolver
internal import SystemPackage

/// What is asked only where something has failed, or may mislead.
extension Prober {
    /// What the kernel says at once to an empty datagram, which is let out or not as anything is; nil where it takes it.
    ///
    /// A filter that drops what this host sends has sendto(2) fail with EPERM, where a connection just waits.
    func refusal(of address: IPAddress?, port: Int, _ probe: Probe) -> Errno? {
        guard let address else { return nil }
        do throws(Errno) {
            let socket = try ProbeSocket(address.family, type: CInt(SOCK_DGRAM.rawValue), protocol: 0)
            if let interface = probe.interface, (try? socket.bind(to: interface)) == nil { return nil }
            try socket.connect(to: address, port: UInt16(clamping: port))
            guard send(socket.descriptor, nil, 0, CInt(MSG_NOSIGNAL | MSG_DONTWAIT)) < 0 else { return nil }
            throw Errno(rawValue: errno)
        } catch {
            return error == .notPermitted ? error : nil
        }
    }

    /// Whether the proxy takes connections at all; nil where there is none.
    func isProxyListening(_ probe: Probe, _ addresses: [IPAddress]) async -> Bool? {
        guard let proxy = (try? probe.target.proxyServer()) ?? nil else { return nil }
        return await connect(probe, addresses, port: UInt16(clamping: proxy.port), timeout: .milliseconds(500)).outcome
            == .success
    }

    /// Whether a target that stays silent answers where no packet is longer than any link carries (RFC 9293, section
    /// 3.7.1). It waits first: most targets answer, and then this is cancelled.
    func passesInSmallPackets(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress], after delay: Duration
    ) async -> Bool {
        guard parts.isCurls, (try? await loop.sleep(for: delay)) != nil else { return false }
        do throws(RequestError) {
            var request = try Request(
                probe, parts, addresses, timeout: probe.timeout - delay, authorities: certificateAuthorityFile)
            request.maximumSegmentSize = Self.shortestSegment
            _ = try await readySession().response(for: request)
            return true
        } catch {
            // A certificate that is not trusted has come all the same.
            if case .untrusted = error.reason { return true }
            return false
        }
    }

    private static let shortestSegment = 536

    /// The time at a host, as its web server writes it in an answer without TLS.
    func serverTime(_ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]) async -> Int64? {
        let host = parts.host.contains(":") ? "[\(parts.host)]" : parts.host
        guard let plain = try? Target("http://\(host)/"), let parts = try? URLParts(plain.url) else { return nil }
        var question = probe
        question.target = plain
        do throws(RequestError) {
            let request = try Request(
                question, parts, addresses, timeout: min(probe.timeout / 2, .seconds(1)), authorities: nil)
            let response = try await readySession().response(for: request)
            return Reply(response).header("Date").flatMap(HTTPDate.parse)
        } catch {
            return nil
        }
    }

    /// What another name server says of a name, where it is not the same; at most three are asked.
    ///
    /// - Parameter least: How many there have to be for a contradiction: with one whose answer was taken, two.
    func disagreement(
        _ host: String, _ taken: [IPAddress], _ servers: [NameServer], _ probe: Probe, least: Int = 2
    ) async -> ResolverDisagreement? {
        guard servers.count >= least else { return nil }
        for server in servers.prefix(3) {
            switch await answer(of: server, host, probe) {
            case .addresses(let addresses) where Set(addresses).isDisjoint(with: taken):
                return ResolverDisagreement(server: server.address, answer: .addresses(addresses))
            case .failure(let failure) where failure.reason == .nameNotFound:
                return ResolverDisagreement(server: server.address, answer: .failure(failure))
            default: continue
            }
        }
        return nil
    }

    private func answer(of server: NameServer, _ host: String, _ probe: Probe) async -> ResolverDisagreement.Answer {
        let lookUp = ResolverConfiguration(
            servers: [server], interface: probe.interface, attemptTimeout: .milliseconds(300), attempts: 1,
            timeout: .milliseconds(300))
        do throws(ResolverError) {
            return .addresses(
                try await Resolver(configuration: lookUp, loop: loop).addresses(of: host, family: probe.family))
        } catch {
            return .failure(ProbeFailure(error))
        }
    }

    /// The prefix under which the network translates IPv4 (RFC 7050): a name that has IPv4 addresses only has others where
    /// it does.
    func translation(_ probe: Probe) async -> IPAddress? {
        let lookUp = ResolverConfiguration(
            servers: servers(for: probe), interface: probe.interface, attemptTimeout: .milliseconds(500), attempts: 1,
            timeout: .milliseconds(500))
        let found = try? await Resolver(configuration: lookUp, loop: loop).addresses(
            of: "ipv4only.arpa", family: .ipv6)
        guard case .v6(let address)? = found?.first else { return nil }
        return .v6(IPv6Address(rawValue: address.rawValue & ~0xFFFF_FFFF))
    }
}
