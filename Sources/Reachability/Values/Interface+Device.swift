import NetworkAddress
package import Synchronization

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

    /// A device in one place for all the paths that list it. Traffic moves from one to the other far more often than they
    /// change: two that share their place are equal without a look, and what was written of one need not be written again.
    package final class DevicePlace: Sendable {
        let device: Device
        /// The device in its written form; nil until it is written.
        package let text = Mutex<[UInt8]?>(nil)

        init(_ device: Device) {
            self.device = device
        }
    }
}

extension Interface.DevicePlace: Hashable {
    package static func == (left: Interface.DevicePlace, right: Interface.DevicePlace) -> Bool {
        left === right || left.device == right.device
    }

    package func hash(into hasher: inout Hasher) {
        device.hash(into: &hasher)
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
        try place.device.encode(to: encoder)
        var ways = encoder.container(keyedBy: CodingKeys.self)
        try ways.encode(ipv4, forKey: .ipv4)
        try ways.encode(ipv6, forKey: .ipv6)
    }
}

extension Interface: CustomReflectable {
    public var customMirror: Mirror {
        let ways: [(label: String?, value: Any)] = [("ipv4", ipv4), ("ipv6", ipv6)]
        return Mirror(
            self, children: Mirror(reflecting: place.device).children.map { ($0.label, $0.value) } + ways,
            displayStyle: .struct)
    }
}
