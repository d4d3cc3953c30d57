internal import NetworkAddress

/// What a DHCPv6 server has answered (RFC 8415, section 8), from the bytes of its message.
struct DHCPv6Reply {
    /// The first address that is leased.
    let address: IPAddress
    /// The address of the network's portal API (option 103, RFC 8910, section 2.2).
    let captivePortal: ArraySlice<UInt8>?

    /// REPLY (section 7.3).
    private static let type: UInt8 = 7
    private static let headerLength = 4

    /// Nil where the bytes are no such answer, or lease no address.
    init?(_ message: [UInt8]) {
        guard message.count >= Self.headerLength, message[0] == Self.type else { return nil }
        let options = Self.options(in: message[Self.headerLength...])
        let addresses = options.lazy.compactMap { code, content -> IPAddress? in
            // Before its own options IA_NA has an identifier and two times, IA_TA an identifier (sections 21.4, 21.5).
            switch code {
            case 3: Self.address(in: content.dropFirst(12))
            case 4: Self.address(in: content.dropFirst(4))
            default: nil
            }
        }
        guard let address = addresses.first else { return nil }
        self.address = address
        captivePortal = options.first { $0.code == 103 }?.content
    }

    /// The address of the first IAADDR (section 21.6).
    private static func address(in content: ArraySlice<UInt8>) -> IPAddress? {
        let bytes = options(in: content).first { $0.code == 5 }?.content.prefix(16)
        return bytes.flatMap { $0.count == 16 ? IPAddress(bytes: $0) : nil }
    }

    /// The options one after the other (section 21.1); what is cut off is none.
    private static func options(in bytes: ArraySlice<UInt8>) -> [(code: Int, content: ArraySlice<UInt8>)] {
        var options: [(Int, ArraySlice<UInt8>)] = []
        var rest = bytes
        while rest.count >= 4 {
            let header = Array(rest.prefix(4)).map(Int.init)
            rest = rest.dropFirst(4)
            let length = header[2] << 8 | header[3]
            guard length <= rest.count else { break }
            options.append((header[0] << 8 | header[1], rest.prefix(length)))
            rest = rest.dropFirst(length)
        }
        return options
    }
}
