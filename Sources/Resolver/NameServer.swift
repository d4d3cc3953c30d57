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

extension NameServer: LosslessStringConvertible {
    /// A server from its text: an address, or an address and a port, `192.0.2.1:53` or `[2001:db8::1]:53`.
    public init?(_ description: String) {
        if let address = IPAddress(description) {
            self.init(address)
            return
        }
        guard let colon = description.lastIndex(of: ":"),
            let port = UInt16(description[description.index(after: colon)...]), port > 0
        else { return nil }
        let host = description[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let address = IPAddress(String(isBracketed ? host.dropFirst().dropLast() : host)),
            isBracketed == (address.family == .ipv6)
        else { return nil }
        self.init(address, port: port)
    }

    /// `ADDRESS:PORT`, an IPv6 address in brackets.
    public var description: String {
        switch address {
        case .v4: "\(address):\(port)"
        case .v6: "[\(address)]:\(port)"
        }
    }
}
