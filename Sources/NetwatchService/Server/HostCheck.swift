import HTTPTypes
import Hummingbird
import NetworkAddress

/// Whether a request was meant for this host: a page that rebinds its own name to this host's address has a browser ask by
/// that name (DNS rebinding).
struct HostCheck: Sendable {
    /// Names that this host is asked by, in small letters.
    private let names: Set<String>

    /// - Parameter names: This host's own names, and those that the configuration allows.
    init(names: [String]) {
        self.names = Set((names + ["localhost"]).map(Self.normal))
    }

    enum Verdict: Hashable, Sendable {
        case mine
        /// No name, or more than one.
        case malformed
        /// Another host's name.
        case foreign
    }

    func verdict(on request: Request) -> Verdict {
        // The first `Host` is the authority; another one stays among the fields.
        guard let name = HTTPField.Name("Host"), request.headers[name] == nil, let authority = request.head.authority
        else { return .malformed }
        return verdict(on: authority)
    }

    func verdict(on authority: String) -> Verdict {
        guard let host = Self.host(of: authority) else { return .malformed }
        if host.hasPrefix("[") { return IPAddress(String(host.dropFirst().dropLast())) == nil ? .malformed : .mine }
        let name = Self.normal(host)
        // The host may have been given its name after this was made.
        let isMine = IPAddress(host) != nil || names.contains(name) || name == Self.normal(StandardStreams.hostName)
        return isMine ? .mine : .foreign
    }

    /// The host of `HOST[:PORT]`; nil where it is not of that form (RFC 9110 7.2).
    private static func host(of authority: String) -> String? {
        if authority.hasPrefix("[") {
            guard let end = authority.firstIndex(of: "]") else { return nil }
            let rest = authority[authority.index(after: end)...]
            return rest.isEmpty || isPort(rest) ? String(authority[...end]) : nil
        }
        let colon = authority.firstIndex(of: ":") ?? authority.endIndex
        guard colon == authority.endIndex || isPort(authority[colon...]) else { return nil }
        let host = authority[..<colon]
        return host.isEmpty || host.contains { !$0.isASCII || " /?#@".contains($0) } ? nil : String(host)
    }

    private static func isPort(_ text: Substring) -> Bool {
        text.first == ":" && text.dropFirst().allSatisfy { $0.isASCII && $0.isNumber } && text.count <= 6
    }

    private static func normal(_ name: String) -> String {
        let small = name.lowercased()
        return small.hasSuffix(".") ? String(small.dropLast()) : small
    }
}
