import CCurl
import FoundationEssentials
import NetworkAddress

/// Tells libcurl what to do.
extension HandleSetup {
    /// Makes a handle as this wants it that is new, or as good as new.
    func apply(to easy: TransferHandle, cookies: ShareHandle?) throws(RequestError) {
        try setBehaviour(easy)
        try setProxy(easy)
        try setCookies(easy, options.usesCookies ? cookies : nil)
        try setTarget(easy)
        try setMessage(easy, joinsCookies: options.usesCookies && cookies != nil)
        try setTimeouts(easy)
        try setTrust(easy)
        try setCredential(easy)
        try easy.installCallbacks()
        easy.setup = isReusable ? self : nil
    }

    private func setBehaviour(_ easy: TransferHandle) throws(RequestError) {
        try easy.set(CURLOPT_NOSIGNAL, 1)
        // Without it a transfer that ends during a look-up waits for the look-up, and with it the whole loop.
        try easy.set(CURLOPT_QUICK_EXIT, 1)
        try easy.set(CURLOPT_PATH_AS_IS, 1)
        try easy.set(CURLOPT_BUFFERSIZE, bufferSize)
        // Of HTTP/2, from 1 to 256 (RFC 7540 section 5.3.2).
        try easy.set(CURLOPT_STREAM_WEIGHT, 1 + Int(255 * min(1, max(0, options.priority))))
        if options.usesFreshConnection {
            try easy.set(CURLOPT_FRESH_CONNECT, 1)
            try easy.set(CURLOPT_FORBID_REUSE, 1)
        }
        if options.usesFastOpen { try easy.set(CURLOPT_TCP_FASTOPEN, 1) }
        if options.connectsOnly {
            try easy.set(CURLOPT_CONNECT_ONLY, 1)
            try easy.set(CURLOPT_SSL_ENABLE_ALPN, 0)
        }
    }

    private func setProxy(_ easy: TransferHandle) throws(RequestError) {
        try easy.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        switch options.proxyPolicy {
        case .environment:
            break
        case .direct:
            // Keeps libcurl from reading the environment: an empty text is no proxy, and nil would be the environment's.
            try easy.set(CURLOPT_PROXY, "")
            // Without a list of exceptions libcurl would look for one in the environment, too, with each connection,
            // though there is no proxy to make exceptions from (lib/url.c, create_conn_helper_init_proxy). An empty list
            // names no host, so that it changes nothing else (lib/noproxy.c, Curl_check_noproxy).
            try easy.set(CURLOPT_NOPROXY, "")
        case .proxy(let proxy):
            try easy.set(CURLOPT_PROXY, proxy.url)
            try easy.set(CURLOPT_NOPROXY, proxy.exceptions.joined(separator: ","))
            if let file = proxy.authorities { try easy.set(CURLOPT_PROXY_CAINFO_BLOB, try authorities(file)) }
            if let user = proxy.user { try easy.set(CURLOPT_PROXYUSERNAME, user) }
            if let password = proxy.password { try easy.set(CURLOPT_PROXYPASSWORD, password) }
        }
    }

    /// The authorities of a proxy. Read here, since libcurl would wait for the writer of a FIFO.
    private func authorities(_ file: String) throws(RequestError) -> [UInt8] {
        do throws(SecurityError) {
            return try FileContents.read(file, limit: 16 << 20)
        } catch {
            throw RequestError(.security(error))
        }
    }

    private func setCookies(_ easy: TransferHandle, _ share: ShareHandle?) throws(RequestError) {
        try easy.set(share: share)
        guard share != nil else { return }
        // Turns the cookies on, and reads none from a file.
        try easy.set(CURLOPT_COOKIEFILE, "")
        // One field for all (RFC 6265 section 5.4): what is given so goes behind the others.
        if let own = ownCookies { try easy.set(CURLOPT_COOKIE, own) }
    }

    /// The cookies among the caller's fields; nil where there are none.
    private var ownCookies: String? {
        let own = headers.values(of: "Cookie").map(\.trimmed).filter { !$0.isEmpty }
        return own.isEmpty ? nil : own.joined(separator: "; ")
    }

    private func setTarget(_ easy: TransferHandle) throws(RequestError) {
        try easy.set(CURLOPT_PROTOCOLS_STR, "http,https")
        try easy.set(CURLOPT_IPRESOLVE, options.family.curlValue)
        try easy.set(CURLOPT_HTTP_VERSION, options.versionPolicy.curlValue)
        try setAddresses(easy)
        if let path = options.unixSocket { try easy.set(CURLOPT_UNIX_SOCKET_PATH, path) }
    }

    private func setAddresses(_ easy: TransferHandle) throws(RequestError) {
        let names = try setTargetAddresses(easy) + proxyAddresses
        if !names.isEmpty { try easy.set(CURLOPT_RESOLVE, names) }
        // A name that is looked up for one connection alone is looked up, whatever it was before.
        if names.isEmpty, options.usesFreshConnection { try easy.set(CURLOPT_DNS_CACHE_TIMEOUT, 0) }
    }

    /// Gives libcurl the target's addresses under a name made of them, so that what it remembers of them, addresses and
    /// connections, serves only requests that ask for the same ones.
    ///
    /// - Returns: What libcurl has to know of such a name.
    private func setTargetAddresses(_ easy: TransferHandle) throws(RequestError) -> [String] {
        guard let mapping else { return [] }
        let (addresses, port) = (mapping.addresses, mapping.port)
        let host = mapping.host.contains(":") ? "[\(mapping.host)]" : mapping.host
        guard addresses.count > 1 else {
            try easy.set(CURLOPT_CONNECT_TO, addresses.map { "\(host):\(port):\($0.bracketed):" })
            return []
        }
        let all = addresses.map { hexadecimal($0.bytes) }.joined(separator: ".")
        // Longer names are none (RFC 1035, 2.3.4), and libcurl takes none.
        let name = (all.utf8.count <= 200 ? all : "\(SHA256Digest(of: Array(all.utf8)))") + ".invalid"
        try easy.set(CURLOPT_CONNECT_TO, ["\(host):\(port):\(name):"])
        return ["+\(name):\(port):\(addresses.resolved)"]
    }

    /// What libcurl has to know of the proxy's name, which it has to keep for the certificate. It stays in the pool of those
    /// who say the same of it (``ConnectionPool/Key``).
    private var proxyAddresses: [String] {
        guard case .proxy(let proxy) = options.proxyPolicy, let addresses = proxy.addresses, !addresses.isEmpty else {
            return []
        }
        return ["+\(proxy.host):\(proxy.port):\(addresses.resolved)"]
    }

    private func setMessage(_ easy: TransferHandle, joinsCookies: Bool) throws(RequestError) {
        switch method {
        case .get where content == nil: try easy.set(CURLOPT_HTTPGET, 1)
        case .head: try easy.set(CURLOPT_NOBODY, 1)
        default: try setContent(easy)
        }
        // What libcurl says of its streams: see Repetition.
        if mayHaveStreams { try easy.set(CURLOPT_VERBOSE, 1) }
        if headers.contains(name: "Host") { easy.hasNamedHost = true }
        try easy.set(CURLOPT_HTTPHEADER, headerLines(withCookies: !joinsCookies))
    }

    /// Whether the server may speak HTTP/2.
    private var mayHaveStreams: Bool {
        switch options.versionPolicy {
        case .automatic: options.securityPolicy != nil
        case .http1: false
        case .http2: true
        }
    }

    private func setContent(_ easy: TransferHandle) throws(RequestError) {
        try easy.set(CURLOPT_CUSTOMREQUEST, method.rawValue)
        guard content != nil || Self.methodsWithContent.contains(method) else { return }
        let content = content ?? Content(count: 0, bytesPerSecond: nil)
        try easy.set(CURLOPT_UPLOAD, 1)
        if let count = content.count { try easy.set(CURLOPT_INFILESIZE_LARGE, offset: count) }
        if let speed = content.bytesPerSecond { try easy.set(CURLOPT_MAX_SEND_SPEED_LARGE, offset: speed) }
    }

    /// RFC 9110 section 8.6: a request of theirs says that its content is empty, if it is.
    private static let methodsWithContent: Set<RequestMethod> = [.post, .put, .patch]

    /// The fields as libcurl takes them: one without a value is written with a semicolon.
    private func headerLines(withCookies: Bool) -> [String] {
        // To libcurl a value of blanks alone is none, and a field without one is to be left out.
        let sent = withCookies ? headers : HeaderFields(headers.filter { !$0.isNamed("Cookie") })
        var lines = sent.map { $0.value.trimmed.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
        // libcurl would ask for leave before it sends more than a megabyte, and wait a second for an answer.
        if content != nil, !headers.contains(name: "Expect") { lines.append("Expect:") }
        // Not by libcurl's own option, with which it would also unpack what comes: see BodyDecoding.
        if options.asksForCompression(headers) {
            lines.append("Accept-Encoding: \(ContentCoding.acceptable)")
        }
        return lines
    }

    private func setTimeouts(_ easy: TransferHandle) throws(RequestError) {
        try easy.setConnectTimeOut(options.timeouts.connect)
        try easy.set(CURLOPT_TIMEOUT_MS, options.timeouts.total.milliseconds ?? 0)
    }

    private func setTrust(_ easy: TransferHandle) throws(RequestError) {
        // All of it happens in the handshake, by our policy: see TLSVerification.
        try easy.set(CURLOPT_SSL_VERIFYPEER, 0)
        try easy.set(CURLOPT_SSL_VERIFYHOST, 0)
        try easy.set(CURLOPT_SSL_SESSIONID_CACHE, 0)
    }
}

extension AddressFamily? {
    fileprivate var curlValue: Int {
        switch self {
        case .ipv4: Int(CURL_IPRESOLVE_V4)
        case .ipv6: Int(CURL_IPRESOLVE_V6)
        case nil: Int(CURL_IPRESOLVE_WHATEVER)
        }
    }
}

extension HTTPVersionPolicy {
    fileprivate var curlValue: Int {
        switch self {
        case .automatic: CURL_HTTP_VERSION_2TLS
        case .http1: CURL_HTTP_VERSION_1_1
        case .http2: CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
        }
    }
}

extension [IPAddress] {
    /// As CURLOPT_RESOLVE takes them.
    fileprivate var resolved: String { map(\.bracketed).joined(separator: ",") }
}
