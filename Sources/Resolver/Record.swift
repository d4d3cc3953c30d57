public import NetworkAddress

/// One record of a name server's answer.
public enum Record: Hashable, Sendable {
    /// An address and how many seconds it may be kept.
    case address(IPAddress, timeToLive: Int)
    /// The name of a server (NS) or of a host (PTR).
    case name(String)
    case mailExchange(String, preference: UInt16)
    /// The text of one TXT record, its pieces joined. It may hold any bytes.
    case text([UInt8])
    case service(String, port: UInt16, priority: UInt16, weight: UInt16)
    case startOfAuthority(primary: String, responsible: String, serial: UInt32)
    case certificationAuthority(property: String, value: String, isCritical: Bool)
}

extension Record: CustomStringConvertible {
    /// The record's data as `dig +short` prints it.
    public var description: String {
        switch self {
        case .address(let address, _): address.description
        case .name(let name): name
        case .mailExchange(let name, let preference): "\(preference) \(name)"
        case .text(let bytes): "\"\(String(decoding: bytes, as: UTF8.self))\""
        case .service(let name, let port, let priority, let weight): "\(priority) \(weight) \(port) \(name)"
        case .startOfAuthority(let primary, let responsible, let serial): "\(primary) \(responsible) \(serial)"
        case .certificationAuthority(let property, let value, let isCritical):
            "\(isCritical ? 128 : 0) \(property) \"\(value)\""
        }
    }
}
