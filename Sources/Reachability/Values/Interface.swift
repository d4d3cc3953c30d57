public import NetworkAddress

/// A link with its addresses and its medium, and whether it could carry traffic out.
public struct Interface: Hashable, Sendable, Codable {
    public var index: UInt32
    public var name: String
    public var alternativeNames: [String] = []
    public var medium: Medium
    /// The chain of links its traffic leaves by, itself first: `["wg0", "wlan0"]`.
    public var via: [String]
    /// The kernel's kind of the link (`veth`, `wireguard`, …); nil for most hardware.
    public var kind: String? = nil
    public var hardwareAddress: HardwareAddress? = nil
    /// The largest packet in bytes.
    public var mtu: UInt32? = nil
    /// Megabits a second, where the kernel tells it.
    public var speed: UInt32? = nil
    /// What a Wi-Fi interface is connected to; nil for the others.
    public var wireless: WirelessDetails? = nil
    /// RFC 2863's operational state, in the words of `ip link`: `up`, `down`, `dormant`, `lowerlayerdown`, `unknown`, …
    public var operationalState: String
    public var isUp: Bool
    public var hasCarrier: Bool
    public var addresses: [InterfaceAddress] = []
    /// Whether it could carry IPv4 and IPv6 traffic out if it were chosen.
    public var ipv4: InterfaceUsability = .unusable(.noRoute)
    public var ipv6: InterfaceUsability = .unusable(.noRoute)

    public init(index: UInt32, name: String, medium: Medium, operationalState: String, isUp: Bool, hasCarrier: Bool) {
        self.index = index
        self.name = name
        self.medium = medium
        self.via = [name]
        self.operationalState = operationalState
        self.isUp = isUp
        self.hasCarrier = hasCarrier
    }
}

extension Interface {
    /// Whether it could carry traffic of any family out.
    public var isUsable: Bool { ipv4.isUsable || ipv6.isUsable }

    /// Whether it could carry traffic of a family out.
    public subscript(family: AddressFamily) -> InterfaceUsability {
        switch family {
        case .ipv4: ipv4
        case .ipv6: ipv6
        }
    }
}

/// An address of an interface, with the state that decides whether it can be a source.
public struct InterfaceAddress: Hashable, Sendable, Codable {
    public var address: IPAddress
    public var prefixLength: UInt8
    public var isTentative: Bool = false
    public var isDuplicate: Bool = false
    public var isDeprecated: Bool = false

    public init(address: IPAddress, prefixLength: UInt8) {
        self.address = address
        self.prefixLength = prefixLength
    }
}

/// Whether an interface could carry traffic of one family out, whichever interface the kernel prefers now.
public struct InterfaceUsability: Hashable, Sendable, Codable {
    public var isUsable: Bool
    /// Why not; nil where it is usable.
    public var reason: PathReason? = nil
    /// The next router, where one is used.
    public var gateway: IPAddress? = nil
    /// The address its packets would carry.
    public var source: IPAddress? = nil

    public init(isUsable: Bool, reason: PathReason? = nil, gateway: IPAddress? = nil, source: IPAddress? = nil) {
        self.isUsable = isUsable
        self.reason = reason
        self.gateway = gateway
        self.source = source
    }

    public static func unusable(_ reason: PathReason) -> InterfaceUsability {
        InterfaceUsability(isUsable: false, reason: reason)
    }
}
