/// Where a broker is: `mqtts://broker.example:8883`, `mqtt://[2001:db8::1]`.
package struct Broker: Hashable, Sendable, CustomStringConvertible {
    package let host: String
    package let port: UInt16
    /// Whether it is spoken to over TLS.
    package let isSecure: Bool

    package init(host: String, port: UInt16, isSecure: Bool) {
        self.host = host
        self.port = port
        self.isSecure = isSecure
    }

    /// - Throws: ``Mistake`` where the text is no address of a broker's.
    package init(_ text: String) throws(Mistake) {
        guard let scheme = text.firstRange(of: "://"),
            let isSecure = Self.schemes[text[..<scheme.lowerBound].lowercased()]
        else { throw Mistake(text: text) }
        let rest = text[scheme.upperBound...].split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let authority = rest.first, rest.count == 1 || rest[1].isEmpty, !authority.contains("@") else {
            throw Mistake(text: text)
        }
        let (host, port) = Self.parts(authority)
        guard !host.isEmpty, host.utf8.allSatisfy({ 0x21..<0x7F ~= $0 }), !host.contains(where: { "[]?#".contains($0) })
        else { throw Mistake(text: text) }
        guard let port else {
            self.init(host: host, port: isSecure ? 8883 : 1883, isSecure: isSecure)
            return
        }
        guard let number = UInt16(port), number > 0 else { throw Mistake(text: text) }
        self.init(host: host, port: number, isSecure: isSecure)
    }

    private static let schemes = ["mqtt": false, "tcp": false, "mqtts": true, "ssl": true]

    /// Host and port; an IPv6 address stands in brackets.
    private static func parts(_ authority: Substring) -> (String, Substring?) {
        if authority.first == "[", let end = authority.firstIndex(of: "]") {
            let rest = authority[authority.index(after: end)...]
            let host = String(authority[authority.index(after: authority.startIndex)..<end])
            if rest.isEmpty { return (host, nil) }
            return rest.first == ":" ? (host, rest.dropFirst()) : ("", nil)
        }
        guard let colon = authority.firstIndex(of: ":") else { return (String(authority), nil) }
        return (String(authority[..<colon]), authority[authority.index(after: colon)...])
    }

    package var description: String {
        "\(isSecure ? "mqtts" : "mqtt")://\(host.contains(":") ? "[\(host)]" : host):\(port)"
    }

    /// A text that names no broker. It may hold a password, so it is not repeated.
    package struct Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        package let hasUser: Bool

        init(text: String) {
            hasUser = text.contains("@")
        }

        package var description: String {
            hasUser
                ? "a broker is mqtts://HOST:PORT or mqtt://HOST:PORT, without a user: name user and passwordFile beside it"
                : "a broker is mqtts://HOST:PORT or mqtt://HOST:PORT"
        }
    }
}
