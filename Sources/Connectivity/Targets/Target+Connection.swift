internal import NetworkAddress

internal import struct RequestEngine.Proxy

/// Where the connections of its probes go, and by what.
extension Target {
    /// Whether its probes leave by an interface of its own, whatever the route says.
    var isBound: Bool { interface != nil || medium != nil }

    /// Its address, where its URL names one and no proxy stands before it. Not by way of a URL: there may be thousands.
    var address: IPAddress? {
        // A URL with an address has its family.
        guard family != nil, proxy == nil else { return nil }
        let authority = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst("://".utf8.count)
            .prefix { !"/?#".utf8.contains($0) }
        let host =
            authority.lastIndex(of: UInt8(ascii: "@")).map { authority[authority.index(after: $0)...] } ?? authority
        let isBracketed = host.first == UInt8(ascii: "[")
        let end: Character = isBracketed ? "]" : ":"
        return IPAddress(String(Substring(host.dropFirst(isBracketed ? 1 : 0).prefix { $0 != end.asciiValue })))
    }

    /// Where its connections go to, the proxy's port where there is one.
    var port: UInt16? {
        if let proxy = (try? proxyServer()) ?? nil { return UInt16(exactly: proxy.port) }
        guard let parts = try? URLParts(url) else { return nil }
        if let port = parts.port { return UInt16(exactly: port) }
        return switch parts.scheme {
        case "http": 80
        case "https", "tls": 443
        case "dns": 53
        default: nil
        }
    }

    /// The host that a probe connects to first: the proxy's where there is one.
    var firstHost: String? {
        if let proxy = (try? proxyServer()) ?? nil { return proxy.host }
        return address.map { "\($0)" } ?? (try? URLParts(url))?.host
    }

    /// Whether it is known by its echo, and may have no port open.
    var isEcho: Bool { url.lowercasedASCII().hasPrefix("icmp:") }

    var isPlainHTTP: Bool { url.lowercasedASCII().hasPrefix("http:") && proxy == nil }

    /// Whether there is a TLS handshake in its probes, or a redirect or a proxy may bring one; or HTTP/2, whose frames a server
    /// may send without an end.
    package var mayCompute: Bool {
        isSecure || httpVersion == .http2 || redirects != nil || proxy?.lowercasedASCII().hasPrefix("https:") == true
    }
}
