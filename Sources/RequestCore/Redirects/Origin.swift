internal import FoundationEssentials

/// Who is asked: scheme, host and port of a URL (RFC 6454). What is secret between us and one origin is not told to
/// another.
struct Origin: Hashable {
    let scheme: String
    let host: String
    let port: Int

    init?(_ url: URL) {
        guard let scheme = url.scheme?.lowercased(), let host = url.host(percentEncoded: false), !host.isEmpty else {
            return nil
        }
        self.scheme = scheme
        self.host = HostName(host).text.lowercased()
        port = url.port ?? (scheme == "https" ? 443 : 80)
    }
}
