import CNetlink
import NetworkAddress

/// Reads RTM_NEWNDUSEROPT (`struct nduseroptmsg`, one option of RFC 4861 section 4.6, NDUSEROPT_*).
enum NDUserOptionParser {
    static func parse(_ message: Message) throws(NetlinkError) -> NDUserOptionMessage? {
        let fixed = try message.fixedPart(nduseroptmsg.self)
        guard AddressFamily(kernelValue: fixed.nduseropt_family) == .ipv6 else { return nil }
        let length = Int(fixed.nduseropt_opts_len)
        let body = message.payload.extracting(droppingFirst: MemoryLayout<nduseroptmsg>.size)
        guard length <= body.count else {
            throw .malformed(
                message: message.name, reason: "its option says \(length) bytes, and \(body.count) are left")
        }
        let option = try NDOption(body.extracting(first: length), in: message)
        var result = NDUserOptionMessage(index: UInt32(bitPattern: fixed.nduseropt_ifindex), option: try option.value())
        try message.attributes(after: nduseroptmsg.self, skipping: length).forEach { (attribute) throws(NetlinkError) in
            if attribute.type == NDUSEROPT_SRCADDR { result.router = try attribute.address() }
        }
        return result
    }
}

/// A view of one option: its number, its length in units of eight bytes, its body.
private struct NDOption: ~Escapable {
    let type: UInt8
    let body: Span<UInt8>
    let message: Int

    /// RFC 8106 puts two reserved bytes and four of lifetime before its lists.
    private static let lifetimeOffset = 2
    private static let listOffset = 6

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>, in message: Message) throws(NetlinkError) {
        guard bytes.count >= 8, Int(bytes[1]) * 8 == bytes.count else {
            throw .malformed(message: message.name, reason: "its option's length is not that of \(bytes.count) bytes")
        }
        type = bytes[0]
        body = bytes.extracting(droppingFirst: 2)
        self.message = message.type
    }

    func value() throws(NetlinkError) -> NDUserOptionMessage.Option {
        switch type {
        case 25: .recursiveDNSServers(addresses, lifetime: lifetime)
        case 31: .searchDomains(try domains(), lifetime: lifetime)
        case 37: .captivePortal(String(decodingToZero: body))
        default: .other(type: type, body: [UInt8](body))
        }
    }

    private var lifetime: UInt32 {
        UInt32(bigEndian: body.load(UInt32.self, at: Self.lifetimeOffset))
    }

    private var addresses: [IPAddress] {
        stride(from: Self.listOffset, to: body.count - 15, by: 16).compactMap { offset in
            IPAddress(bytes: body.extracting(offset..<offset + 16))
        }
    }

    /// Names as in RFC 1035 section 3.1, one after the other, without compression, padded with zeros.
    private func domains() throws(NetlinkError) -> [String] {
        var names: [String] = []
        var labels: [String] = []
        var rest = body.extracting(droppingFirst: Self.listOffset)
        while !rest.isEmpty {
            let length = Int(rest[0])
            rest = rest.extracting(droppingFirst: 1)
            guard length <= 63, length <= rest.count else {
                throw .malformed(
                    message: MessageName.of(message),
                    reason: "a label of \(length) bytes does not fit its search domain")
            }
            if length > 0 {
                labels.append(String(decoding: rest.extracting(first: length)))
                rest = rest.extracting(droppingFirst: length)
            } else if !labels.isEmpty {
                names.append(labels.joined(separator: "."))
                labels = []
            }
        }
        return names
    }
}
