import FoundationEssentials
import NetworkAddress

/// Where a request goes, read from its URL.
struct Destination: Sendable {
    /// As it was given.
    let text: String
    /// With the host as it is looked up.
    let url: String
    /// In ASCII, without the brackets of an IPv6 address.
    let host: String
    let port: Int
    let isSecure: Bool
    /// Whether the host is an address, which needs no look-up.
    let isAddress: Bool
    /// The URL up to the slash behind the host and the port, which any other that begins so has in common with it; nil
    /// where there is no slash.
    private let origin: String?

    init(_ url: URL) throws(RequestError) {
        text = url.absoluteString
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw RequestError(.invalidURL(text, problem: "is neither http nor https"))
        }
        guard let given = url.host(), !given.isEmpty else {
            throw RequestError(.invalidURL(text, problem: "has no host"))
        }
        guard let host = url.asciiHost else {
            throw RequestError(.invalidURL(text, problem: "has a host that is no name"))
        }
        isSecure = scheme == "https"
        port = url.port ?? (isSecure ? 443 : 80)
        guard port <= UInt16.max else {
            throw RequestError(.invalidURL(text, problem: "has the port \(port), and the last one is 65535"))
        }
        self.host = host
        self.url = URLText(text).replacingHost(by: host)
        isAddress = IPAddress(host) != nil
        origin = Self.origin(of: text)
    }

    /// The destination of another URL with the same scheme, host and port, of which nothing has to be read again; nil where
    /// that cannot be told at a glance.
    func sibling(_ text: String) -> Destination? {
        guard let origin, text.hasPrefix(origin) else { return nil }
        return Destination(text, like: self)
    }

    private init(_ text: String, like other: Destination) {
        self.text = text
        // Mostly the host stands in it as it is looked up.
        url = other.url == other.text ? text : URLText(text).replacingHost(by: other.host)
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

/// The destinations that were asked lately: a session is mostly asked for a few URLs again and again.
struct Destinations {
    private var known: [String: Destination] = [:]
    private var latest: Destination?
    private static let limit = 64

    mutating func destination(of url: URL) throws(RequestError) -> Destination {
        let text = url.absoluteString
        if let latest {
            if let destination = latest.text == text ? latest : latest.sibling(text) { return destination }
        }
        let destination = if let known = known[text] { known } else { try read(url) }
        latest = destination
        return destination
    }

    private mutating func read(_ url: URL) throws(RequestError) -> Destination {
        let destination = try Destination(url)
        if known.count >= Self.limit { known = [:] }
        known[destination.text] = destination
        return destination
    }
}
