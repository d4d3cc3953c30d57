/// Names the hosts a rule is for: one host, or all below a domain, on any port or on one.
public struct HostPattern: Hashable, Sendable {
    /// The host, in lower case and without brackets; for a wildcard the domain with its leading dot.
    let name: String
    let isWildcard: Bool
    let port: UInt16?

    /// Reads `HOST`, `*.DOMAIN`, an IPv4 or a bracketed IPv6 address, each with `:PORT` if it is to be for one port only.
    ///
    /// `*.example.com` is for `a.example.com` and `b.a.example.com`, and not for `example.com`.
    public init(_ text: String) throws(SecurityError) {
        guard let (host, port) = Self.split(text) else { throw .invalidHostPattern(text) }
        isWildcard = host.hasPrefix("*.")
        name = (isWildcard ? "." : "") + HostName(String(host.dropFirst(isWildcard ? 2 : 0))).text.lowercased()
        self.port = port
        guard name.utf8.count > (isWildcard ? 1 : 0), !name.utf8.contains(where: { $0 <= 32 }), !name.contains("*")
        else { throw .invalidHostPattern(text) }
    }

    private static func split(_ text: String) -> (host: Substring, port: UInt16?)? {
        let end = text.lastIndex(of: "]").map(text.index(after:)) ?? text.startIndex
        guard let colon = text[end...].lastIndex(of: ":"), end != text.startIndex || text.firstIndex(of: ":") == colon
        else { return (text[...], nil) }
        guard let port = UInt16(text[text.index(after: colon)...]) else { return nil }
        return (text[..<colon], port)
    }

    /// Whether the pattern is for a host, as a URL names it, on a port.
    public func matches(host: String, port: UInt16) -> Bool {
        guard self.port == nil || self.port == port else { return false }
        let host = HostName(host).text.lowercased()
        return isWildcard ? host.hasSuffix(name) && host.utf8.count > name.utf8.count : host == name
    }

    /// What decides between patterns that are for the same host: the longer name first, then one with a port.
    var rank: (Int, Int, Int) { (isWildcard ? 0 : 1, name.utf8.count, port == nil ? 0 : 1) }
}

extension HostPattern: CustomStringConvertible {
    public var description: String {
        let host = (isWildcard ? "*" : "") + (name.contains(":") ? "[\(name)]" : name)
        return port.map { "\(host):\($0)" } ?? host
    }
}
