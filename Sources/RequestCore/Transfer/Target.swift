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
    /// The URL up to the slash behind the host and the port, which any other that begins so has in common with it; nil
    /// where there is no slash.
    private let origin: String?

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
        origin = Self.origin(of: self.url)
    }

    /// The target of another URL with the same scheme, host and port, of which nothing has to be read again; nil where
    /// that cannot be told at a glance.
    func sibling(_ url: String) -> Target? {
        guard let origin, url.hasPrefix(origin) else { return nil }
        return Target(url: url, like: self)
    }

    private init(url: String, like other: Target) {
        self.url = url
        host = other.host
        port = other.port
        isSecure = other.isSecure
        isAddress = other.isAddress
        origin = other.origin
    }

    private static func origin(of url: String) -> String? {
        guard let scheme = url.utf8.firstIndex(of: UInt8(ascii: "/")),
            let end = url.utf8[scheme...].dropFirst(2).firstIndex(of: UInt8(ascii: "/"))
        else { return nil }
        return String(url[...end])
    }
}

/// The targets that were asked lately: a session is mostly asked for a few URLs again and again.
struct Targets {
    private var known: [String: Target] = [:]
    private var latest: Target?
    private static let limit = 64

    mutating func target(of url: URL) throws(RequestError) -> Target {
        let text = url.absoluteString
        if let latest { if let target = latest.url == text ? latest : latest.sibling(text) { return target } }
        let target = if let known = known[text] { known } else { try read(url) }
        latest = target
        return target
    }

    private mutating func read(_ url: URL) throws(RequestError) -> Target {
        let target = try Target(url)
        if known.count >= Self.limit { known = [:] }
        known[target.url] = target
        return target
    }
}
