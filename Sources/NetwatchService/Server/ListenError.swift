#if Service
import Glibc
import SystemPackage

/// Why the HTTP server cannot listen.
package struct ListenError: Error, Hashable, Sendable {
    package let address: ListenAddress
    package let errno: CInt

    package var isPermission: Bool { errno == EACCES || errno == EPERM }
}

extension ListenError: CustomStringConvertible {
    package var description: String {
        "cannot listen on \(address): \(reason)"
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
}
#endif
