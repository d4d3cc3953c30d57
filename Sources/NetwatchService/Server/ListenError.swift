import Glibc
import SystemPackage

/// Why the HTTP server cannot listen.
package struct ListenError: Error, Hashable, Sendable {
    package let endpoint: Endpoint
    package let errno: CInt

    package var isPermission: Bool { errno == EACCES || errno == EPERM }
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        switch endpoint {
        case .tcp(let address): "cannot listen on \(address): \(reason)"
        case .unix(let path): "cannot listen on the Unix socket \(DisplayText.safe(path)): \(socketReason)"
        }
    }

    private var reason: String {
        switch errno {
        case EADDRINUSE: "another program has this port; choose another one, or port 0 to let the kernel choose"
        case EACCES, EPERM: "ports below 1024 need CAP_NET_BIND_SERVICE; choose a port from 1024 up, 19115 for example"
        case EADDRNOTAVAIL: "this host does not have this address; see `ip address`, or listen on 127.0.0.1 or [::1]"
        case EAFNOSUPPORT: "this host has no such address family; listen on 127.0.0.1 instead"
        case let code: "\(Errno(rawValue: code)); choose another address or port"
        }
    }

    private var socketReason: String {
        switch errno {
        case EADDRINUSE: "another netwatch serves there; stop that, or name another path"
        case ENOTSOCK: "there is something else than a socket; remove it, or name another path"
        case EPROTOTYPE: "another program has a socket of another kind there; stop that, or name another path"
        case EACCES, EPERM:
            "this user may not write to its folder, or to the socket there; name another path, or \"none\""
        case ENOENT: "its folder is not there; make it, or name another path"
        case ENAMETOOLONG: "a socket's path is at most 103 bytes long"
        case let code: "\(Errno(rawValue: code)); name another path, or \"none\""
        }
    }
}
