import FoundationEssentials
import NetworkAddress

/// Who is asked, read from a URL.
struct Target: Sendable {
    let url: String
    /// Without the brackets of an IPv6 address.
    let host: String
    let port: Int
    let isSecure: Bool
    /// Whether the host is an address, which nobody has to look up.
    let isAddress: Bool

    init(_ url: URL) throws(RequestError) {
        self.url = url.absoluteString
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw RequestError(.invalidURL(self.url, problem: "is neither http nor https"))
        }
        guard let host = url.host(), !host.isEmpty else {
            throw RequestError(.invalidURL(self.url, problem: "has no host"))
        }
        isSecure = scheme == "https"
        self.host = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        port = url.port ?? (isSecure ? 443 : 80)
        isAddress = IPAddress(self.host) != nil
    }
}

/// The targets that were asked lately: a session is mostly asked for a few URLs again and again.
struct Targets {
    private var known: [String: Target] = [:]
    private static let limit = 64

    mutating func target(of url: URL) throws(RequestError) -> Target {
        if let target = known[url.absoluteString] { return target }
        let target = try Target(url)
        if known.count >= Self.limit { known = [:] }
        known[target.url] = target
        return target
    }
}
