internal import NetworkAddress

/// What a DHCP server has answered (RFC 2131, section 2), from the bytes of its message.
struct DHCPReply {
    /// The address that is leased; the client's own where it has only asked for settings.
    let address: IPAddress
    private let fields: [ArraySlice<UInt8>]

    private static let magic: [UInt8] = [0x63, 0x82, 0x53, 0x63]
    private static let optionsOffset = 240

    /// Nil where the bytes are no such answer.
    init?(_ message: [UInt8]) {
        guard message.count >= Self.optionsOffset, message[0] == 2,
            message[236..<Self.optionsOffset].elementsEqual(Self.magic)
        else { return nil }
        let leased = message[16..<20].contains { $0 != 0 } ? message[16..<20] : message[12..<16]
        guard let address = IPAddress(bytes: leased) else { return nil }
        self.address = address
        let options = message[Self.optionsOffset...]
        let overload = Self.value(of: .overload, in: [options])?.first ?? 0
        // RFC 3396, section 5: what an option says goes on in `file`, and then in `sname`.
        fields =
            [options] + (overload & 1 != 0 ? [message[108..<236]] : []) + (overload & 2 != 0 ? [message[44..<108]] : [])
    }

    enum Option: UInt8 {
        case overload = 52
        /// RFC 8910, section 2.1.
        case captivePortal = 114
    }

    /// What an option says, of which the parts may be anywhere (RFC 3396); nil where there is none.
    subscript(option: Option) -> [UInt8]? { Self.value(of: option, in: fields) }

    private static func value(of option: Option, in fields: [ArraySlice<UInt8>]) -> [UInt8]? {
        fields.reduce(nil) { value, field in
            parts(of: option, in: field).reduce(value) { ($0 ?? []) + $1 }
        }
    }

    private static func parts(of option: Option, in field: ArraySlice<UInt8>) -> [ArraySlice<UInt8>] {
        var parts: [ArraySlice<UInt8>] = []
        var rest = field
        while let code = rest.popFirst(), code != 255 {
            guard code != 0 else { continue }
            guard let length = rest.popFirst(), length <= rest.count else { break }
            if code == option.rawValue { parts.append(rest.prefix(Int(length))) }
            rest = rest.dropFirst(Int(length))
        }
        return parts
    }
}
