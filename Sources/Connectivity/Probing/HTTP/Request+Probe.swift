internal import FoundationEssentials
internal import NetworkAddress
internal import RequestCore

extension Request {
    /// What a probe asks.
    ///
    /// - Parameters:
    ///   - addresses: Where to connect to, the proxy's where there is one; nil where libcurl looks that up.
    ///   - authorities: The file of those that a proxy over TLS must have its certificate from; nil for the host's.
    init(
        _ probe: Probe, _ parts: URLParts, _ addresses: [IPAddress]?, timeout: Duration, challenge: String,
        authorities: String?
    ) throws(RequestError) {
        let target = probe.target
        self.init(url: try parts.httpURL, method: HTTPMethod(rawValue: target.method))
        headers = HTTPHeaders(target.headers.sorted { $0.key < $1.key }.map { .init(name: $0.key, value: $0.value) })
        if target.expectation.kind == .challenge { headers.set("X-Netwatch-Challenge", to: challenge) }
        body = target.requestBody.map { .data(Data($0.utf8)) }
        timeouts = Timeouts(connect: timeout, idle: timeout, total: timeout)
        interface = probe.interface.map { .name($0) }
        family = probe.family
        usesFreshConnection = true
        connectsOnly = !parts.isHTTP
        maximumBodySize = target.maximumBodySize
        httpVersion = target.httpVersion.map { HTTPVersionPolicy($0, isSecure: target.isSecure) }
        setProxy(target, parts, addresses, authorities)
    }

    /// The addresses are the proxy's, which is named by one of them so that libcurl looks nothing up outside the binding.
    private mutating func setProxy(
        _ target: Target, _ parts: URLParts, _ addresses: [IPAddress]?, _ authorities: String?
    ) {
        // It was read when the monitor started, so it is known to be good.
        guard var server = (try? target.proxyServer()) ?? nil else {
            // A literal is no name that libcurl would look up: it need not be told where that is.
            self.addresses = parts.isAddressLiteral ? nil : addresses
            return
        }
        if server.kind == .https {
            // Its certificate is for its name.
            server.addresses = addresses
            server.authorities = authorities
        } else if let address = addresses?.first {
            server.host = address.description
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
    fileprivate init(_ version: HTTPVersion, isSecure: Bool) {
        self = version != .http2 ? .http1 : isSecure ? .automatic : .http2
    }
}
