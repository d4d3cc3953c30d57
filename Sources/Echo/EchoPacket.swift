import NetworkAddress

/// An ICMP echo message without its checksum and identifier, which the kernel fills in (RFC 792, RFC 4443 section 4).
struct EchoPacket {
    var sequence: UInt16
    /// What only this request carries, so that a late or forged reply is not taken for its own.
    var token: UInt64

    static let count = 16

    /// The request's bytes.
    func request(_ family: AddressFamily) -> [UInt8] {
        let type: UInt8 = family == .ipv4 ? 8 : 128
        return [type, 0, 0, 0, 0, 0] + bytes(sequence) + bytes(token)
    }

    /// The reply that these bytes are; nil for anything else.
    init?(reply bytes: some Collection<UInt8>, _ family: AddressFamily) {
        self.init(bytes, type: family == .ipv4 ? 0 : 129)
    }

    /// The request that these bytes, sent back with an error, were; nil for anything else.
    init?(returned bytes: some Collection<UInt8>, _ family: AddressFamily) {
        self.init(bytes, type: family == .ipv4 ? 8 : 128)
    }

    /// The number of the request that these bytes, sent back with an error, began with: a router may return no more of it than
    /// eight bytes (RFC 792).
    static func sequence(returned bytes: some Collection<UInt8>, _ family: AddressFamily) -> UInt16? {
        let bytes = Array(bytes.prefix(8))
        guard bytes.count == 8, bytes[0] == (family == .ipv4 ? 8 : 128), bytes[1] == 0 else { return nil }
        return UInt16(bytes[6]) << 8 | UInt16(bytes[7])
    }

    init(sequence: UInt16, token: UInt64) {
        self.sequence = sequence
        self.token = token
    }

    private init?(_ collection: some Collection<UInt8>, type: UInt8) {
        let bytes = Array(collection)
        guard bytes.count >= Self.count, bytes[0] == type, bytes[1] == 0 else { return nil }
        sequence = bytes[6..<8].reduce(0) { $0 << 8 | UInt16($1) }
        token = bytes[8..<16].reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func bytes(_ number: some FixedWidthInteger) -> [UInt8] {
        stride(from: number.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: number >> $0) }
    }
}
