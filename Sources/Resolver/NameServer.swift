public import NetworkAddress

/// A name server to ask: its address and port.
public struct NameServer: Hashable, Sendable, Codable {
    public var address: IPAddress
    public var port: UInt16

    public init(_ address: IPAddress, port: UInt16 = 53) {
        self.address = address
        self.port = port
    }
}

extension NameServer: CustomStringConvertible {
    /// `ADDRESS:PORT`, an IPv6 address in brackets.
    public var description: String {
        switch address {
        case .v4: "\(address):\(port)"
        case .v6: "[\(address)]:\(port)"
        }
    }
}
