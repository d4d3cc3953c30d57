internal import Connectivity
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine

/// What the requests of many probes have in common: all but their URLs. It is put together for the first of them, and for
/// the next only where that one differs in more.
struct ProbeRequests {
    private var latest: (pattern: RequestPattern, request: Request)?

    /// What a probe asks.
    ///
    /// - Parameters:
    ///   - addresses: Where to connect to, the proxy's where there is one; nil where libcurl looks that up.
    ///   - authorities: The file of those that a proxy over TLS must have its certificate from; nil for the host's.
    mutating func request(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration, challenge: String,
        authorities: String?
    ) throws(RequestError) -> Request {
        let pattern = RequestPattern(probe, parts, addresses, timeout: timeout, authorities: authorities)
        var request = try self.request(like: pattern, to: parts.httpURL)
        if probe.target.expectation.kind == .challenge { request.headers.set("X-Netwatch-Challenge", to: challenge) }
        return request
    }

    private mutating func request(like pattern: RequestPattern, to url: URL) -> Request {
        guard let latest, latest.pattern == pattern else {
            let request = Request(url, pattern)
            latest = (pattern, request)
            return request
        }
        var request = latest.request
        request.url = url
        return request
    }
}

/// Everything that a probe's request is made of, apart from the URL and the challenge.
private struct RequestPattern: Equatable {
    let method: String
    let headers: [String: String]
    let body: String?
    let timeout: Duration
    let interface: String?
    let family: AddressFamily?
    let isHTTP: Bool
    let maximumBodySize: Int?
    let httpVersion: ProtocolVersion?
    let isSecure: Bool
    let proxy: String?
    let addresses: [IPAddress]?
    let authorities: String?

    init(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration, authorities: String?
    ) {
        let target = probe.target
        method = target.method
        headers = target.headers
        body = target.requestBody
        self.timeout = timeout
        interface = probe.interface
        family = probe.family
        isHTTP = parts.isHTTP
        maximumBodySize = target.bodyLimit
        httpVersion = target.httpVersion
        isSecure = parts.isSecure
        proxy = target.proxy
        // A literal is no name that libcurl would look up: it need not be told where that is.
        self.addresses = target.proxy == nil && parts.isAddressLiteral ? nil : addresses
        self.authorities = authorities
    }
}

extension Target {
    /// The most bytes of body that are read; nil for the usual.
    fileprivate var bodyLimit: Int? {
        guard expectation.body?.isExamined == true else { return maximumBodySize }
        return min(maximumBodySize ?? .max, Expectation.Body.mostExamined)
    }
}

extension Request {
    fileprivate init(_ url: URL, _ pattern: RequestPattern) {
        self.init(url: url, method: RequestMethod(rawValue: pattern.method))
        headers = HeaderFields(pattern.headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        body = pattern.body.map { .data(Data($0.utf8)) }
        timeouts = Timeouts(connect: pattern.timeout, idle: pattern.timeout, total: pattern.timeout)
        interface = pattern.interface.map { .name($0) }
        family = pattern.family
        usesFreshConnection = true
        connectsOnly = !pattern.isHTTP
        maximumBodySize = pattern.maximumBodySize
        cutsBody = true
        httpVersion = pattern.httpVersion.map { HTTPVersionPolicy($0, isSecure: pattern.isSecure) }
        setProxy(pattern)
    }

    /// The addresses are the proxy's, which is named by one of them so that libcurl looks nothing up outside the binding.
    private mutating func setProxy(_ pattern: RequestPattern) {
        // It was read when the monitor started, so it is known to be good.
        guard var server = pattern.proxy.flatMap({ Proxy(url: $0) }) else {
            addresses = pattern.addresses
            return
        }
        if server.kind == .https {
            // Its certificate is for its name.
            server.addresses = pattern.addresses
            server.authorities = pattern.authorities
        } else if let addresses = pattern.addresses, let address = addresses.first {
            // Of several libcurl takes the one that answers.
            if addresses.count == 1 { server.host = address.description } else { server.addresses = addresses }
        }
        // So is the target: its name is the proxy's to look up.
        if server.kind == .socks5, interface != nil { server.kind = .socks5Hostname }
        proxy = .proxy(server)
    }
}

extension URLParts {
    /// The URL as libcurl takes it: a handshake is one that would be HTTPS if anything were asked.
    fileprivate var httpURL: URL {
        get throws(RequestError) {
            guard !isHTTP else { return url }
            var components = URLComponents()
            components.scheme = "https"
            components.host = host.contains(":") ? "[\(host)]" : host
            components.port = port
            guard let url = components.url else {
                throw RequestError(.invalidURL(url.absoluteString, problem: "is none"))
            }
            return url
        }
    }
}

extension HTTPVersionPolicy {
    /// HTTP/2 over TLS is negotiated, and the answer tells what came of it.
    fileprivate init(_ version: ProtocolVersion, isSecure: Bool) {
        self = version != .http2 ? .http1 : isSecure ? .automatic : .http2
    }
}
