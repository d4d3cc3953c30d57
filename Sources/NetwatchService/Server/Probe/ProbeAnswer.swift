import Connectivity
import Hummingbird
import NetworkAddress
import Probing
import Reachability
import RequestEngine

/// What came of a probe, in blackbox_exporter's families: its names, labels and types, so that its dashboards and rules do not
/// know the difference. What it would leave at zero is zero here, too; what it does not know comes beside that.
struct ProbeAnswer {
    let question: ProbeQuestion
    let probe: SpotProbe

    private var result: ProbeResult { probe.result }
    private var scheme: String { String(question.target.url.prefix { $0 != ":" }).lowercased() }

    func answer(_ request: Request) -> HTTPAnswer {
        let exposition = Exposition(accept: request.headers[.accept])
        guard question.isDebugged else {
            return HTTPAnswer(type: exposition.contentType, bytes: exposition.bytes(families), isNegotiated: true)
        }
        return .text(words + "\nMetrics that would have been returned:\n" + Exposition.prometheus.text(families))
    }

    /// The reason for the verdict, for people to read.
    private var words: String {
        var lines = ["Module \(question.moduleName) asks \(question.target.name), within \(question.timeout)."]
        for phase in Phase.allCases {
            guard let duration = result.phases[phase] else { continue }
            lines.append("\(phase.rawValue): \(duration)\(phase == result.failedPhase ? ", and failed" : "")")
        }
        if let failure = result.failure { lines.append(failure) }
        lines.append(isSuccess ? "The probe has succeeded." : "The probe has failed.")
        return lines.map { DisplayText.safe($0) + "\n" }.joined()
    }

    private var isSuccess: Bool { result.outcome == .success }

    // MARK: Families

    var families: [MetricFamily] {
        let own: [MetricFamily] =
            switch scheme {
            case "http", "https": http + secure
            case "tls": regex + secure
            case "tcp": regex
            case "dns": names
            case "icmp": echo
            default: []
            }
        return common + own + [problem]
    }

    private var common: [MetricFamily] {
        [
            one("probe_success", "Displays whether or not the probe was a success.", isSuccess ? 1 : 0),
            one("probe_duration_seconds", "How long the probe took to complete.", seconds(result.durationNanoseconds)),
            one("probe_timeout_seconds", "How long the probe might have taken.", question.timeout / .seconds(1)),
            one(
                "probe_dns_lookup_time_seconds", "How long the look-up of the name took.",
                seconds(result.phaseNanoseconds[.resolve])),
            one("probe_ip_protocol", "The version of IP that was used: 4 or 6; 0 for none.", version),
            one("probe_ip_addr_hash", "The address as a number (FNV-1a), to be seen when it changes.", addressHash),
        ]
    }

    private func one(_ name: String, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, .gauge, help: help, [.init(value)])
    }

    private func seconds(_ nanoseconds: UInt64?) -> Double { Double(nanoseconds ?? 0) / 1e9 }

    private var version: Double {
        switch result.remoteAddress?.family {
        case .ipv4: 4
        case .ipv6: 6
        case nil: 0
        }
    }

    /// FNV-1a in 32 bits over the bytes of the address (http://www.isthe.com/chongo/tech/comp/fnv/).
    private var addressHash: Double {
        let bytes = result.remoteAddress?.bytes ?? []
        guard !bytes.isEmpty else { return 0 }
        return Double(bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 })
    }

    private var regex: [MetricFamily] {
        let isOfContent = [.unexpectedBody, .unexpectedHeader].contains(result.reason)
        return [
            one(
                "probe_failed_due_to_regex", "Whether the probe failed by what the answer says.",
                isOfContent ? 1 : 0)
        ]
    }

    private func phases(_ name: String, _ help: String, _ values: [(String, UInt64?)]) -> MetricFamily {
        MetricFamily(name, .gauge, help: help, values.map { .init(seconds($0.1), [.init("phase", $0.0)]) })
    }

    /// What blackbox_exporter cannot tell: why, in which phase, and by which device.
    private var problem: MetricFamily {
        let labels: [MetricFamily.Label] = [
            .init("reason", result.reason?.rawValue ?? result.outcome.rawValue),
            .init("phase", result.failedPhase?.rawValue ?? ""), .init("device", result.interface ?? ""),
        ]
        return MetricFamily(
            "probe_failure_info", .info, help: "Why the probe failed, where it did.",
            isSuccess ? [] : [.init(1, labels)])
    }

    // MARK: HTTP

    private var http: [MetricFamily] {
        let response = probe.response
        let length = response.map { response in
            response.headers["Content-Length"].flatMap { Double($0) } ?? (response.body.isEmpty ? 0 : -1)
        }
        let families = [
            phases(
                "probe_http_duration_seconds", "How long the request took by phase.",
                Phase.allCases.map { ($0.rawValue, result.phaseNanoseconds[$0]) }),
            one("probe_http_status_code", "The status of the answer.", Double(result.statusCode ?? 0)),
            one("probe_http_content_length", "The length of the content as the answer says.", length ?? 0),
            one(
                "probe_http_uncompressed_body_length", "How much of the content was read.",
                Double(response?.body.count ?? 0)),
            one("probe_http_redirects", "How many redirects were followed.", Double(response?.redirects.count ?? 0)),
            one("probe_http_ssl", "Whether TLS was used for the last answer.", isSecure ? 1 : 0),
            one(
                "probe_http_version", "The version of HTTP of the answer.",
                response.flatMap { Double($0.httpVersion.rawValue) } ?? 0),
        ]
        guard let time = response?.headers["Last-Modified"].flatMap(HTTPDate.parse) else { return families + regex }
        return families + regex + [
            one(
                "probe_http_last_modified_timestamp_seconds", "When the content was changed, as the answer says.",
                Double(time))
        ]
    }

    private var isSecure: Bool { probe.response != nil && probe.metrics?.tlsVersion != nil }

    // MARK: TLS

    private var secure: [MetricFamily] {
        guard let metrics = probe.metrics, let first = metrics.certificates.first else { return [] }
        let expiry = Double(metrics.certificates.map(\.notAfter).min() ?? 0)
        let families = [
            one("probe_ssl_earliest_cert_expiry", "When the first certificate of the chain expires.", expiry),
            one("probe_ssl_last_chain_expiry_timestamp_seconds", "When the chain expires.", expiry),
            MetricFamily(
                "probe_ssl_last_chain_info", .info, help: "The server's certificate.",
                [
                    .init(
                        1,
                        [
                            .init("fingerprint_sha256", first.fingerprint.description), .init("issuer", first.issuer),
                            .init("subject", first.subject), .init("subjectalternative", names(of: first)),
                        ])
                ]),
        ]
        guard let version = metrics.tlsVersion else { return families }
        let cipher = metrics.tlsCipher.map { cipher in
            MetricFamily(
                "probe_tls_cipher_info", .info, help: "The cipher suite.", [.init(1, [.init("cipher", cipher)])])
        }
        return families + [
            MetricFamily(
                "probe_tls_version_info", .info, help: "The version of TLS.",
                [.init(1, [.init("version", version.replacing("TLSv", with: "TLS "))])])
        ] + [cipher].compactMap { $0 }
    }

    private func names(of certificate: Certificate) -> String {
        certificate.names.compactMap { if case .dns(let name) = $0 { name } else { nil } }.joined(separator: ",")
    }

    // MARK: Names and echoes

    private var names: [MetricFamily] {
        let sections = probe.names
        let families = [
            phases(
                "probe_dns_duration_seconds", "How long the question took by phase.",
                [
                    ("resolve", result.phaseNanoseconds[.resolve]), ("connect", result.phaseNanoseconds[.connect]),
                    ("request", result.phaseNanoseconds[.processing]),
                ]),
            one("probe_dns_answer_rrs", "Records of the answer.", Double(sections?.answers ?? 0)),
            one("probe_dns_authority_rrs", "Records of the authority section.", Double(sections?.authorities ?? 0)),
            one("probe_dns_additional_rrs", "Additional records.", Double(sections?.additional ?? 0)),
            one("probe_dns_query_succeeded", "Whether the server has answered.", sections == nil ? 0 : 1),
        ]
        guard question.target.url.uppercased().hasSuffix("TYPE=SOA") else { return families }
        return families + [
            one("probe_dns_serial", "The serial number of the zone.", Double(sections?.serial ?? 0))
        ]
    }

    private var echo: [MetricFamily] {
        let hopLimit = probe.hopLimit.map { hopLimit in
            one("probe_icmp_reply_hop_limit", "The hop limit that the reply had left.", Double(hopLimit))
        }
        return [
            phases(
                "probe_icmp_duration_seconds", "How long the echo took by phase.",
                [
                    ("resolve", result.phaseNanoseconds[.resolve]), ("setup", nil),
                    ("rtt", isSuccess ? result.phaseNanoseconds[.processing] : nil),
                ])
        ] + [hopLimit].compactMap { $0 }
    }
}
