/// One place where the HTTP server listens.
package enum Endpoint: Hashable, Sendable {
    case tcp(ListenAddress)
    /// A Unix socket, by its path: only programs of this host reach it, and of these only those that may write to it.
    case unix(String)

    var isUnix: Bool { if case .unix = self { true } else { false } }
}

extension Endpoint: CustomStringConvertible {
    package var description: String {
        switch self {
        case .tcp(let address): "http://\(address)/"
        case .unix(let path): "unix:\(path)"
        }
    }
}
