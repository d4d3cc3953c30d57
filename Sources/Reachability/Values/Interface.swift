public import NetworkAddress

/// A link with its addresses and its medium, and whether it could carry traffic out.
public struct Interface: Hashable, Sendable {
    /// All but its ways out. Traffic moves from one interface to another far more often than that changes.
    private(set) var shared: Shared<Device>
    /// Whether it could carry IPv4 and IPv6 traffic out if it were chosen.
    public var ipv4: InterfaceUsability = .unusable(.noRoute)
    public var ipv6: InterfaceUsability = .unusable(.noRoute)

    public init(index: UInt32, name: String, medium: Medium, operationalState: String, isUp: Bool, hasCarrier: Bool) {
        self.init(
            Device(
                index: index, name: name, medium: medium, via: [name], operationalState: operationalState, isUp: isUp,
                hasCarrier: hasCarrier))
    }

    init(_ device: Device) {
        shared = Shared(device)
    }

    private var device: Device {
        get { shared.value }
        set { shared.value = newValue }
    }

    /// Whether it carries packets inside others to a far end. A line by PPP is an uplink of its own.
    package var isTunnel: Bool {
        kind.map(Self.tunnels.contains) ?? false
    }

    /// The kinds that carry packets inside others, to a far end.
    static let tunnels: Set<String> = [
        "tun", "wireguard", "ovpn", "ovpn-dco", "ovpn-dco-v2", "gre", "gretap", "erspan", "ip6gre", "ip6gretap",
        "ip6erspan", "ipip", "sit", "ip6tnl", "vti", "vti6", "xfrm", "vxlan", "geneve", "bareudp", "gtp", "amt",
        "l2tp",
    ]
}

extension Interface {
    public var index: UInt32 {
        get { device.index }
        set { device.index = newValue }
    }

    public var name: String {
        get { device.name }
        set { device.name = newValue }
    }

    public var alternativeNames: [String] {
        get { device.alternativeNames }
        set { device.alternativeNames = newValue }
    }

    public var medium: Medium {
        get { device.medium }
        set { device.medium = newValue }
    }

    /// The chain of links its traffic leaves by, itself first: `["wg0", "wlan0"]`.
    public var via: [String] {
        get { device.via }
        set { device.via = newValue }
    }

    /// The kernel's kind of the link (`veth`, `wireguard`, …); nil for most hardware.
    public var kind: String? {
        get { device.kind }
        set { device.kind = newValue }
    }

    public var hardwareAddress: HardwareAddress? {
        get { device.hardwareAddress }
        set { device.hardwareAddress = newValue }
    }

    /// The largest packet in bytes.
    public var mtu: UInt32? {
        get { device.mtu }
        set { device.mtu = newValue }
    }

    /// Megabits a second, where the kernel tells it.
    public var speed: UInt32? {
        get { device.speed }
        set { device.speed = newValue }
    }

    /// What a Wi-Fi interface is connected to; nil for the others.
    public var wireless: WirelessDetails? {
        get { device.wireless }
        set { device.wireless = newValue }
    }

    /// RFC 2863's operational state, in the words of `ip link`: `up`, `down`, `dormant`, `lowerlayerdown`, `unknown`, …
    public var operationalState: String {
        get { device.operationalState }
        set { device.operationalState = newValue }
    }

    public var isUp: Bool {
        get { device.isUp }
        set { device.isUp = newValue }
    }

    public var hasCarrier: Bool {
        get { device.hasCarrier }
        set { device.hasCarrier = newValue }
    }

    public var addresses: [InterfaceAddress] {
        get { device.addresses }
        set { device.addresses = newValue }
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
