import Glibc
import NetworkAddress

extension AddressFamily {
    /// The family of an `AF_*` number, or nil for those that do not matter here (AF_MPLS, RTNL_FAMILY_IPMR, …).
    init?(kernelValue: UInt8) {
        switch CInt(kernelValue) {
        case AF_INET: self = .ipv4
        case AF_INET6: self = .ipv6
        default: return nil
        }
    }

    /// The `AF_*` number.
    var kernelValue: UInt8 {
        switch self {
        case .ipv4: UInt8(AF_INET)
        case .ipv6: UInt8(AF_INET6)
        }
    }
}
