public import FoundationEssentials

/// The server that is asked: scheme, host and port of a URL (RFC 6454). What is secret between us and one origin is not told to
/// another.
public struct Origin: Hashable, Sendable {
    /// In small letters.
    public let scheme: String
    /// In small letters, without the brackets of an IPv6 address.
    public let host: String
    /// The URL's, or its scheme's own.
    public let port: Int

    /// The origin of a URL; nil where it has no scheme or no host.
    public init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.asciiHost else { return nil }
        self.scheme = scheme
        // Without the dot that ends an absolute name. A zone stays: it says which link's host is meant.
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? host.dropFirst().dropLast() : Substring(host)
        self.host = (bare.hasSuffix(".") ? bare.dropLast() : bare).lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}

extension Origin: CustomStringConvertible {
    public var description: String { "\(scheme)://\(host.contains(":") ? "[\(host)]" : host):\(port)" }
}
