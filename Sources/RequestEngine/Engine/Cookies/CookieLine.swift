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
        guard let host = url.asciiHost?.lowercased() else { return [] }
        let isSecure = url.scheme?.lowercased() == "https"
        let path = url.path(percentEncoded: true)
        return lines.compactMap(CookieLine.init).filter { cookie in
            cookie.isFor(host) && cookie.isFor(path: path.isEmpty ? "/" : path) && (isSecure || !cookie.isSecure)
                && (cookie.expiry == 0 || cookie.expiry > now)
        }.sorted { $0.path.utf8.count > $1.path.utf8.count }.map { ($0.name, $0.value) }
    }

    private func isFor(_ host: String) -> Bool {
        host == domain || isForSubdomains && host.hasSuffix(".\(domain)")
    }

    private func isFor(path: String) -> Bool {
        path == self.path || path.hasPrefix(self.path.hasSuffix("/") ? self.path : "\(self.path)/")
    }
}
