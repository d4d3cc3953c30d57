public import NetworkAddress

/// Whether to go through a proxy.
public enum ProxyPolicy: Hashable, Sendable {
    /// Straight to the server, whatever the environment says.
    case direct
    /// As `http_proxy`, `https_proxy`, `all_proxy` and `no_proxy` say when a request is sent.
    case environment
    case proxy(Proxy)

    /// The addresses of the proxy, where they are told.
    var addresses: [IPAddress]? {
        if case .proxy(let proxy) = self { proxy.addresses } else { nil }
    }

    /// The file of its authorities, where it has one of its own: it is read for each transfer anew.
    var authorities: String? {
        if case .proxy(let proxy) = self { proxy.authorities } else { nil }
    }
}

/// A server that forwards requests.
public struct Proxy: Hashable, Sendable {
    /// The protocol spoken with the proxy.
    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case http
        /// HTTP over TLS. The proxy's certificate is checked against ``Proxy/authorities``.
        case https
        /// SOCKS 5 (RFC 1928); names are looked up here.
        case socks5
        /// SOCKS 5; names are looked up by the proxy.
        case socks5Hostname = "socks5h"
    }

    public var kind: Kind
    public var host: String
    public var port: Int
    public var user: String?
    public var password: String?
    /// The file of the authorities, PEM, that a proxy of the kind ``Kind/https`` must have its certificate from; nil for
    /// those that the host trusts.
    public var authorities: String?
    /// The addresses of ``host``, in order of preference, where they are known: then its name is not looked up, and is what
    /// the certificate has to be for all the same.
    public var addresses: [IPAddress]?
    /// Hosts that are asked directly: names, which stand for those below them too, and addresses.
    public var exceptions: [String] = []

    public init(_ kind: Kind, host: String, port: Int, user: String? = nil, password: String? = nil) {
        self.kind = kind
        self.host = host
        self.port = port
        self.user = user
        self.password = password
    }

    package var url: String {
        let name = host.contains(":") ? "[\(host)]" : InternationalName.ascii(host) ?? host
        return "\(kind.rawValue)://\(name):\(port)"
    }

    /// Whether a name has to be looked up before it can be connected to.
    var needsLookUp: Bool { addresses == nil && IPAddress(host) == nil }
}
