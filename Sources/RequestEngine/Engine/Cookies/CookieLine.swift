package import FoundationEssentials

/// A cookie as a line of a Netscape cookie file: seven fields with tabs between.
package struct CookieLine {
    let domain: String
    let isForSubdomains: Bool
    let path: String
    let isSecure: Bool
    /// In seconds since 1970; 0 until the session ends.
    let expiry: Int64
    let name: String
    let value: String

    init?(_ line: String) {
        let text = line.hasPrefix("#HttpOnly_") ? line.dropFirst("#HttpOnly_".count) : line[...]
        let fields = text.split(separator: "\t", omittingEmptySubsequences: false)
        guard fields.count == 7 else { return nil }
        domain = (fields[0].hasPrefix(".") ? fields[0].dropFirst() : fields[0]).lowercased()
        isForSubdomains = fields[1] == "TRUE"
        path = String(fields[2])
        isSecure = fields[3] == "TRUE"
        expiry = Int64(fields[4]) ?? 0
        (name, value) = (String(fields[5]), String(fields[6]))
    }

    /// What is sent to a URL of these cookies (RFC 6265 section 5.4).
    package static func pairs(
        of lines: [String], for url: URL, now: Int64 = WallClock.seconds()
    ) -> [(name: String, value: String)] {
        lines.compactMap(CookieLine.init).filter { $0.goes(to: url, now: now) }
            .sorted { $0.path.utf8.count > $1.path.utf8.count }.map { ($0.name, $0.value) }
    }

    /// The names of the cookies that fields give.
    static func names(in headers: HeaderFields) -> Set<String> {
        headers.values(of: "Cookie").reduce(into: []) { $0.formUnion(names(in: $1)) }
    }

    /// The names of the cookies that a field's value gives; of one that sets a cookie, its attributes' names are among them.
    static func names(in value: String) -> [String] {
        value.split(separator: ";").compactMap {
            $0.split(separator: "=", omittingEmptySubsequences: false).first?.trimmed
        }
    }

    /// Whether it is sent to a URL.
    func goes(to url: URL, now: Int64) -> Bool {
        guard let host = url.asciiHost?.lowercased(), expiry == 0 || expiry > now else { return false }
        let path = url.path(percentEncoded: true)
        guard isFor(host), isFor(path: path.isEmpty ? "/" : path) else { return false }
        return !isSecure || url.scheme?.lowercased() == "https"
    }

    /// Whether it may go to a host, in lower case.
    func isFor(_ host: String) -> Bool {
        host == domain || isForSubdomains && host.hasSuffix(".\(domain)")
    }

    private func isFor(path: String) -> Bool {
        path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : "\(self.path)/")
    }
}
