/// Which version of HTTP to speak.
public enum HTTPVersionPolicy: String, Hashable, Sendable, Codable, CaseIterable {
    /// HTTP/2 where TLS negotiates it, else HTTP/1.1.
    case automatic
    /// HTTP/1.1 only.
    case http1
    /// HTTP/2 only, also without TLS ("prior knowledge", RFC 9113 section 3.3).
    case http2
}
