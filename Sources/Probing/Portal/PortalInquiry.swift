internal import Connectivity
internal import EventLoop
internal import FoundationEssentials
internal import JSON
internal import RequestEngine

/// Asks a portal's API (RFC 8908, section 4), bound to the interface of the network that advertises it.
struct PortalInquiry {
    let prober: Prober

    func answer(to question: PortalQuestion) async -> PortalAnswer {
        var portal = CaptivePortal(interface: question.interface, api: question.api)
        do throws(ProbeFailure) {
            let response = try await askAPI(question)
            do throws(ProbeFailure) { try portal.read(response) } catch { portal.failure = error.description }
        } catch {
            portal.failure = "gave no answer: \(error.description)"
        }
        portal.checkedMonotonic = .now
        return PortalAnswer(question: question.id, portal: portal)
    }

    private func askAPI(_ question: PortalQuestion) async throws(ProbeFailure) -> Response {
        let parts: URLParts
        do throws(TargetError) { parts = try URLParts(question.api) } catch {
            throw ProbeFailure(.unexpectedBody, error.description)
        }
        // Only TLS proves that it is the network's own API (section 4.1).
        guard parts.scheme == "https" else {
            throw ProbeFailure(.unexpectedBody, "its address is not https, and nobody is believed without TLS")
        }
        let target = Target(checked: question.api, name: question.api, role: .reference, expectation: .ordinary)
        let probe = Probe(id: 0, target: target, interface: question.interface, timeout: question.timeout)
        try await prober.checkInterface(of: probe)
        let addresses = try await prober.routed(prober.names.addresses(parts, probe), of: probe)
        var request = Request(url: parts.url, headers: ["Accept": "application/captive+json"])
        request.addresses = addresses
        request.interface = .name(question.interface)
        request.usesFreshConnection = true
        request.maximumBodySize = CaptivePortal.mostBytes
        request.timeouts = Timeouts(connect: question.timeout, idle: question.timeout, total: question.timeout)
        do throws(RequestError) {
            return try await prober.readySession().response(for: request)
        } catch {
            throw ProbeFailure(ConnectivityReason(error.reason, isSecure: true), error.description)
        }
    }
}

extension CaptivePortal {
    /// The longest answer that is read.
    static let mostBytes = 16 << 10

    /// The longest address that is passed on.
    static let longestURL = 2048

    /// Reads an answer (RFC 8908, section 5). What is optional and cannot be used is passed over.
    mutating func read(_ response: Response) throws(ProbeFailure) {
        guard response.statusCode == 200 else {
            throw ProbeFailure(.unexpectedStatus, "answered \(response.statusCode)")
        }
        guard let json = try? JSONValue(json: response.body), let isCaptive = json["captive"]?.boolValue else {
            throw ProbeFailure(.unexpectedBody, "answered without JSON that has a \"captive\" that is true or false")
        }
        self.isCaptive = isCaptive
        userPortal = Self.url(json["user-portal-url"])
        venueInfo = Self.url(json["venue-info-url"])
        secondsRemaining = json["seconds-remaining"]?.intValue.flatMap { $0 >= 0 ? min($0, 1 << 40) : nil }
    }

    /// An address that a person may be sent to: TLS is required of it.
    private static func url(_ value: JSONValue?) -> String? {
        guard let text = value?.stringValue, text.utf8.count <= longestURL, let parts = try? URLParts(text),
            parts.scheme == "https"
        else { return nil }
        return text
    }
}
