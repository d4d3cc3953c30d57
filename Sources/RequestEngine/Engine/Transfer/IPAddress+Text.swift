import Glibc
import NetworkAddress

extension IPAddress {
    /// An address from its text as libcurl gives it: a link-local one has its zone behind it.
    init?(text: UnsafePointer<CChar>) {
        var (v4, v6) = (in_addr(), in6_addr())
        if unsafe inet_pton(AF_INET, text, &v4) == 1 {
            self = .v4(IPv4Address(rawValue: UInt32(bigEndian: v4.s_addr)))
        } else if unsafe inet_pton(AF_INET6, text, &v6) == 1 {
            self = .v6(IPv6Address(v6))
        } else if let bare = unsafe String(cString: text).split(separator: "%").first {
            self.init(String(bare))
        } else {
            return nil
        }
    }
}
