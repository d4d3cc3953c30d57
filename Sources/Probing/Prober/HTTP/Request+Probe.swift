internal import Connectivity
internal import FoundationEssentials
internal import NetworkAddress
internal import RequestEngine

extension Request {
    /// What a probe asks.
    ///
    /// - Parameters:
    ///   - addresses: Where to connect to, the proxy's where there is one; nil where libcurl looks that up.
    ///   - challenge: What a target that is to be challenged has to repeat.
    ///   - authorities: The file of those that a proxy over TLS must have its certificate from; nil for the host's.
    init(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration, challenge: String = "",
        authorities: String?
    ) throws(RequestError) {
        let target = probe.target
        self.init(url: try parts.httpURL, method: RequestMethod(rawValue: target.method))
        headers = HeaderFields(target.headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        // The side that closes first holds the local port for a minute (TIME-WAIT, RFC 9293): a host that probes thousands of
        // targets at one address would have none left. HTTP/2 has no such field, and libcurl leaves it out there.
        headers.setDefault("Connection", to: "close")
        if target.expectation.kind == .challenge { headers.set("X-Netwatch-Challenge", to: challenge) }
        body = target.requestBody.map { .data(Data($0.utf8)) }
        // Each change of a request's options makes another box for them: these are one.
        var options = self.options
        options.timeouts = Timeouts(connect: timeout, idle: timeout, total: timeout)
        options.interface = probe.interface.map { .name($0) }
        options.family = probe.family
        options.usesFreshConnection = true
        options.connectsOnly = !parts.isHTTP
        options.maximumBodySize = Self.bodyLimit(target)
        options.cutsBody = true
        options.httpVersion = target.httpVersion.map { HTTPVersionPolicy($0, isSecure: parts.isSecure) }
        self.options = options
        if let proxy = target.proxy.flatMap({ Proxy(url: $0) }) {
            use(proxy, at: addresses, authorities: authorities)
        } else if !parts.isAddressLiteral {
            // A literal is no name that libcurl would look up: it need not be told where that is.
            self.addresses = addresses
        }
    }

    /// The most bytes of body that are read; nil for the usual.
    private static func bodyLimit(_ target: Target) -> Int? {
        guard target.expectation.body?.isExamined == true else { return target.maximumBodySize }
        return min(target.maximumBodySize ?? .max, Expectation.Body.mostExamined)
    }

    /// The proxy is named by one of its addresses, so that libcurl looks nothing up outside the binding.
    private mutating func use(_ proxy: Proxy, at addresses: [IPAddress]?, authorities: String?) {
        var server = proxy
        if server.kind == .https {
            // Its certificate is for its name.
            server.addresses = addresses
            server.authorities = authorities
        } else if let addresses, let address = addresses.first {
            // Of several libcurl takes the one that answers.
            if addresses.count == 1 { server.host = address.description } else { server.addresses = addresses }
        }
        // So is the target: its name is the proxy's to look up.
        if server.kind == .socks5, interface != nil { server.kind = .socks5Hostname }
        self.proxy = .proxy(server)
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
