internal import enum NetworkAddress.DeviceBinding
package import enum RequestEngine.ProtocolVersion
package import struct RequestEngine.Proxy
package import enum RequestEngine.Token
internal import enum Resolver.RecordType

extension Target {
    /// Checks what would only show when it is probed.
    ///
    /// - Throws: ``TargetError`` that names the option and what is wrong with it.
    public func validate() throws(TargetError) {
        let parts = try URLParts(url)
        try validateName()
        try parts.validateQuestion(name)
        try expectation.body?.validate(name)
        try refuse("interface", interface.map { !DeviceBinding.isName($0) } ?? false, "none can be called so")
        try refuse("medium", medium != nil && interface != nil, "the interface is given by its name already")
        try refuse("proxy", proxy != nil && !parts.isCurls, "only http, https and tls can go through one")
        _ = try proxyServer()
        let versions: [ProtocolVersion?] = [nil, .http1_1, .http2]
        try refuse("HTTP version", !versions.contains(httpVersion), "it has to be 1.1 or 2")
        try refuse("redirects", redirects.map { !(0...20).contains($0) } ?? false, "at most 20 are followed")
        let size = maximumBodySize ?? 1
        try refuse("maximum body size", !(1...16 << 20).contains(size), "it has to be 1 byte to 16 MiB")
        let days = expectation.certificateDays ?? 0
        try refuse("certificate days", !(0...36500).contains(days), "they have to be 0 to 36500")
        try refuse(
            "certificate days", expectation.certificateDays != nil && !isSecure, "only https and tls have a certificate"
        )
        try refuse("probe of each address", eachAddress && proxy != nil, "the proxy is the one who looks its name up")
        try validatePace()
        let isHTTPOnly = requestBody != nil || httpVersion != nil || redirects != nil || maximumBodySize != nil
        try refuse("HTTP option", isHTTPOnly && !parts.isHTTP, "its scheme is \(parts.scheme)")
        try validateRequest(parts)
    }

    /// Events, metrics and the live view show it: an escape sequence would speak to the reader's terminal.
    private func validateName() throws(TargetError) {
        try refuse("name", name.isEmpty, "it is empty")
        let isShowable = name.unicodeScalars.allSatisfy { $0.properties.generalCategory != .control }
        guard isShowable else {
            throw .option("name", target: url, reason: "it holds a control character")
        }
    }

    private func validateRequest(_ parts: URLParts) throws(TargetError) {
        try refuse("method", !Token.isToken(method), "'\(method)' is none (RFC 9110, 9.1)")
        for (name, value) in headers {
            try refuse("header", !Token.isToken(name), "'\(name)' is no field's name (RFC 9110, 5.1)")
            try refuse(
                "header", value.utf8.contains(where: Token.breaksLine), "the value of \(name) is more than one line")
            try refuse("header", !fits(name, value), "\(name) is set by itself, as the body is")
        }
        let hasAnswer = parts.isHTTP || parts.scheme == "dns"
        try refuse(
            "expected body", expectation.body != nil && !hasAnswer, "its scheme is \(parts.scheme), which has none")
    }

    /// Whether a field says nothing of where the body ends, or just what is sent: any other is never sent.
    private func fits(_ field: String, _ value: String) -> Bool {
        switch field.lowercased() {
        case "transfer-encoding": false
        case "content-length": value == "\(requestBody?.utf8.count ?? 0)"
        default: true
        }
    }

    package static let intervals = Duration.milliseconds(1)...Duration.seconds(86400 * 365)
    package static let timeouts = Duration.milliseconds(1)...Duration.seconds(3600)

    private func validatePace() throws(TargetError) {
        try refuse("interval", !Self.intervals.contains(interval ?? .seconds(1)), "it has to be 1 ms to a year")
        try refuse("timeout", !Self.timeouts.contains(timeout ?? .seconds(1)), "it has to be 1 ms to an hour")
        try refuse("jitter", !(0...1).contains(jitter ?? 0), "it has to be 0 to 1")
        try refuse("number of retries", !(0...999).contains(retries ?? 0), "it has to be 0 to 999")
    }

    private func refuse(_ option: String, _ isWrong: Bool, _ reason: String) throws(TargetError) {
        if isWrong { throw .option(option, target: name, reason: reason) }
    }

    /// The proxy its probes go through; nil for none.
    package func proxyServer() throws(TargetError) -> Proxy? {
        guard let proxy else { return nil }
        guard let server = Proxy(url: proxy) else {
            throw .option(
                "proxy", target: name,
                reason: "'\(proxy)' is not a proxy's address: write it as http://HOST:PORT or socks5h://HOST:PORT")
        }
        return server
    }
}

extension URLParts {
    /// Checks what is asked for, beside the host.
    func validateQuestion(_ name: String) throws(TargetError) {
        if scheme == "icmp", port != nil {
            throw .option("port", target: name, reason: "ICMP has no ports; write it as icmp://HOST")
        }
        guard scheme == "dns" else { return }
        guard !queryName.isEmpty else {
            throw .option("question", target: name, reason: "it names no name; write it as dns://SERVER/NAME?type=AAAA")
        }
        guard let type = queryType, RecordType(rawValue: type) == nil else { return }
        throw .option(
            "record type", target: name,
            reason: "'\(type)' is none of \(RecordType.allCases.map(\.rawValue).joined(separator: ", "))")
    }
}
