package import FoundationEssentials
package import NetworkAddress

package import enum Resolver.RecordType

/// What probing needs to know of a URL before it is handed to the request core.
package struct URLParts {
    /// What can be probed: HTTP, a TCP connection, one with TLS, a name server, an ICMP echo.
    static let schemes = ["http", "https", "tcp", "tls", "dns", "icmp"]

    package let url: URL
    package let scheme: String
    /// Without brackets.
    package let host: String
    package let port: Int?
    /// Where the host is an address and no name.
    package let address: IPAddress?

    package init(_ text: String) throws(TargetError) {
        guard text.utf8.count <= Self.longest, text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }),
            let url = URL(string: text)
        else {
            throw .notAURL(text)
        }
        guard let scheme = url.scheme?.lowercasedASCII() else { throw .notAURL(text) }
        guard Self.schemes.contains(scheme) else { throw .scheme(scheme, url: text) }
        guard let host = url.host, !host.isEmpty else { throw .noHost(url: text) }
        guard !host.contains("%") || IPAddress(String(host.prefix { $0 != "%" })) == nil else { throw .zone(url: text) }
        self.url = url
        self.scheme = scheme
        self.host = String(host.drop { $0 == "[" }.prefix { $0 != "]" }).lowercasedASCII()
        self.port = url.port
        self.address = IPAddress(host)
        let needsPort = scheme == "tcp" || scheme == "tls"
        guard port.map({ 1...65535 ~= $0 }) ?? (!needsPort && !Self.hasPort(text)) else { throw .noPort(url: text) }
    }

    /// In bytes: what web servers take at most by default.
    static let longest = 8192

    /// Whether something is written where a port stands, also where it is too large a number for one.
    private static func hasPort(_ text: String) -> Bool {
        guard let authority = authority(of: text) else { return false }
        let place = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? authority
        let behind = place.split(separator: "]", omittingEmptySubsequences: false).last ?? place
        guard let colon = behind.firstIndex(of: ":") else { return false }
        return !behind[colon...].dropFirst().isEmpty
    }

    /// The same without a user's name and password: for names, which events and metrics show to others.
    package static func withoutUser(_ text: String) -> String {
        guard let authority = authority(of: text), let at = authority.lastIndex(of: "@") else { return text }
        return String(text[..<authority.startIndex] + text[text.index(after: at)...])
    }

    /// User, host and port as they are written (RFC 3986, 3.2); nil where nothing is.
    private static func authority(of text: String) -> Substring? {
        text.firstRange(of: "://").map { text[$0.upperBound...].prefix { !"/?#".contains($0) } }
    }

    package var isHTTP: Bool { scheme == "http" || scheme == "https" }

    /// Whether there is TLS.
    package var isSecure: Bool { scheme == "https" || scheme == "tls" }

    /// Whether libcurl makes the connection, which then may go through a proxy.
    package var isCurls: Bool { isHTTP || scheme == "tls" }

    package var isAddressLiteral: Bool { address != nil }

    /// The name that a `dns` URL asks for.
    package var queryName: String { String(url.path.drop { $0 == "/" }) }

    /// What stands in it for a record's type; nil where nothing does.
    package var queryType: String? {
        url.query()?.split(separator: "&").first { $0.hasPrefix("type=") }.map { $0.dropFirst(5).uppercased() }
    }

    /// The port that a connection is made to.
    package var connectPort: UInt16 { UInt16(clamping: port ?? (isSecure ? 443 : 80)) }

    /// The type of the records that are asked for; A where none is named.
    package var recordType: RecordType { queryType.flatMap(RecordType.init(rawValue:)) ?? .a }
}

extension String {
    /// The text with `A` to `Z` made small, as protocol elements are compared.
    package func lowercasedASCII() -> String {
        String(decoding: utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
    }
}
