/// A device's flags (`IFF_*` of `linux/if.h`, `netdevice(7)`).
public struct LinkFlags: OptionSet, Hashable, Sendable, Codable {
    public let rawValue: UInt32

    public init(rawValue: UInt32) {
        self.rawValue = rawValue
    }

    /// Administratively up (IFF_UP).
    public static let up = LinkFlags(rawValue: 0x1)
    /// IFF_LOOPBACK.
    public static let loopback = LinkFlags(rawValue: 0x8)
    /// Operationally up: carrier, and not dormant (IFF_RUNNING).
    public static let running = LinkFlags(rawValue: 0x40)
    /// IFF_NOARP.
    public static let noARP = LinkFlags(rawValue: 0x80)
    /// The driver reports carrier (IFF_LOWER_UP).
    public static let lowerUp = LinkFlags(rawValue: 0x10000)
    /// IFF_DORMANT.
    public static let dormant = LinkFlags(rawValue: 0x20000)
}

/// IFLA_OPERSTATE: RFC 2863's `ifOperStatus`, in the kernel's numbers (`IF_OPER_*` of `linux/if.h`).
public enum OperationalState: UInt8, Hashable, Sendable, Codable {
    case unknown = 0
    case notPresent = 1
    case down = 2
    case lowerLayerDown = 3
    case testing = 4
    case dormant = 5
    case up = 6
}
