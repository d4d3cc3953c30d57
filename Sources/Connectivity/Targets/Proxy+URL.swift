internal import FoundationEssentials

internal import struct RequestEngine.Proxy

extension Proxy {
    /// A proxy by its URL, with the name and the password that it asks for: `http://user:password@proxy.test:3128`.
    package init?(url text: String) {
        guard let url = URL(string: text), let kind = url.scheme.flatMap({ Kind(rawValue: $0.lowercasedASCII()) }),
            let host = url.host(), !host.isEmpty, let port = url.port, 1...65535 ~= port,
            ["", "/"].contains(url.path())
        else { return nil }
        let bare = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        self.init(
            kind, host: bare, port: port, user: url.user(percentEncoded: false),
            password: url.password(percentEncoded: false))
    }
}
