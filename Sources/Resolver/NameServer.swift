internal import Glibc
public import NetworkAddress

/// A name server to ask: its address and port.
public struct NameServer: Hashable, Sendable, Codable {
    public var address: IPAddress
    public var port: UInt16
    /// The link that an address is meant on which is known there alone (RFC 4007), by its name or number; nil for any other.
    public var zone: String?

    public init(_ address: IPAddress, port: UInt16 = 53, zone: String? = nil) {
        self.address = address
        self.port = port
        self.zone = zone
    }
}

extension NameServer: LosslessStringConvertible {
    /// A server from its text: an address, or an address and a port, `192.0.2.1:53` or `[2001:db8::1]:53`. A link-local
    /// address may have a zone: `fe80::1%eth0`.
    public init?(_ description: String) {
        if let server = NameServer(host: description[...], port: 53) {
            self = server
            return
        }
        guard let colon = description.lastIndex(of: ":"),
            let port = UInt16(description[description.index(after: colon)...]), port > 0
        else { return nil }
        let host = description[..<colon]
        let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
        guard let server = NameServer(host: isBracketed ? host.dropFirst().dropLast() : host, port: port),
            isBracketed == (server.address.family == .ipv6)
        else { return nil }
        self = server
    }

    init?(host: Substring, port: UInt16 = 53) {
        let parts = host.split(separator: "%", maxSplits: 1, omittingEmptySubsequences: false)
        guard let text = parts.first, let address = IPAddress(String(text)) else { return nil }
        guard parts.count == 2 else {
            self.init(address, port: port)
            return
        }
        guard address.family == .ipv6, address.isLinkLocal, !parts[1].isEmpty else { return nil }
        self.init(address, port: port, zone: String(parts[1]))
    }

    /// `ADDRESS:PORT`, an IPv6 address in brackets.
    public var description: String {
        switch address {
        case .v4: "\(address):\(port)"
        case .v6: "[\(host)]:\(port)"
        }
    }

    /// The address, and its zone where it has one: what programs take for a host.
    package var host: String { "\(address)\(zone.map { "%\($0)" } ?? "")" }

    var withoutZone: NameServer { NameServer(address, port: port) }

    /// The number of the link, in the network namespace of this thread; nil where there is none.
    package var zoneIndex: UInt32? {
        guard let zone else { return nil }
        let index = unsafe if_nametoindex(zone)
        return index > 0 ? index : UInt32(zone)
    }
}
