package import NetworkAddress

/// Where the HTTP server listens: `127.0.0.1:19115`, `[::1]:19115`; port 0 lets the kernel choose one.
package struct ListenAddress: Hashable, Sendable {
    package let host: IPAddress
    package let port: UInt16

    package init(host: IPAddress, port: UInt16) {
        self.host = host
        self.port = port
    }

    /// Why a text is not an address to listen on.
    package enum Mistake: Error, Hashable, Sendable, CustomStringConvertible {
        case noPort
        case badPort(String)
        case badHost(String)
        case noBrackets(String)
        case path

        package var description: String {
            switch self {
            case .noPort: "the port is missing; write ADDRESS:PORT, as in 127.0.0.1:19115 or [::1]:19115"
            case .badPort(let text):
                "\"\(text)\" is not a port; write a number from 0 to 65535, where 0 lets the kernel choose"
            case .badHost(let text):
                "\"\(text)\" is not an IP address; write 127.0.0.1 or [::1] for this host only, 0.0.0.0 or [::] for every address"
            case .noBrackets(let text): "an IPv6 address stands in brackets before its port: [\(text)]:PORT"
            case .path: "a Unix socket is no address; its path is the configuration's \"service.socket\""
            }
        }
    }

    package init(_ text: String) throws(Mistake) {
        if text.hasPrefix("/") || text.hasPrefix("unix:") { throw .path }
        if !text.hasPrefix("["), IPAddress(text) != nil, text.contains(":") { throw .noBrackets(text) }
        guard let colon = text.lastIndex(of: ":"), !text.hasSuffix("]") else { throw .noPort }
        let (hostText, portText) = (text[..<colon], text[text.index(after: colon)...])
        guard let port = UInt16(portText), portText.allSatisfy(\.isNumber) else { throw .badPort(String(portText)) }
        self.port = port
        host = try Self.host(String(hostText))
    }

    private static func host(_ text: String) throws(Mistake) -> IPAddress {
        let isBracketed = text.hasPrefix("[") && text.hasSuffix("]")
        guard let address = IPAddress(isBracketed ? String(text.dropFirst().dropLast()) : text) else {
            throw .badHost(text)
        }
        switch address {
        case .v4 where isBracketed: throw .badHost(text)
        case .v6 where !isBracketed: throw .noBrackets(text)
        case .v4, .v6: return address
        }
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String { "\(host.bracketed):\(port)" }
}
