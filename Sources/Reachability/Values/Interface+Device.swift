import NetworkAddress

extension Interface {
    /// All of an interface but its ways out.
    struct Device: Hashable, Sendable, Codable {
        var index: UInt32
        var name: String
        var alternativeNames: [String] = []
        var medium: Medium
        var via: [String]
        var kind: String? = nil
        var hardwareAddress: HardwareAddress? = nil
        var mtu: UInt32? = nil
        var speed: UInt32? = nil
        var wireless: WirelessDetails? = nil
        var operationalState: String
        var isUp: Bool
        var hasCarrier: Bool
        var addresses: [InterfaceAddress] = []
    }
}

extension Interface: Codable {
    private enum CodingKeys: String, CodingKey {
        case ipv4, ipv6
    }

    public init(from decoder: any Decoder) throws {
        self.init(try Device(from: decoder))
        let ways = try decoder.container(keyedBy: CodingKeys.self)
        ipv4 = try ways.decode(InterfaceUsability.self, forKey: .ipv4)
        ipv6 = try ways.decode(InterfaceUsability.self, forKey: .ipv6)
    }

    public func encode(to encoder: any Encoder) throws {
        try shared.value.encode(to: encoder)
        var ways = encoder.container(keyedBy: CodingKeys.self)
        try ways.encode(ipv4, forKey: .ipv4)
        try ways.encode(ipv6, forKey: .ipv6)
    }
}

extension Interface: CustomReflectable {
    public var customMirror: Mirror {
        let ways: [(label: String?, value: Any)] = [("ipv4", ipv4), ("ipv6", ipv6)]
        return Mirror(
            self, children: Mirror(reflecting: shared.value).children.map { ($0.label, $0.value) } + ways,
            displayStyle: .struct)
    }
}
