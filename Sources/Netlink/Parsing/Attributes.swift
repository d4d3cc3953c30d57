import CNetlink
import NetworkAddress

/// A run of netlink attributes (`struct nlattr`), walked with the checks of their lengths that libnl's `nla_ok()` makes.
struct Attributes: ~Escapable {
    let bytes: Span<UInt8>
    /// The type of the message they are in, for errors.
    let message: Int

    @_lifetime(copy bytes)
    init(bytes: Span<UInt8>, message: Int) {
        self.bytes = bytes
        self.message = message
    }

    /// Hands over each attribute. One that reaches beyond the end is an error; a rest shorter than an attribute's header
    /// is padding.
    func forEach(_ body: (Attribute) throws(NetlinkError) -> Void) throws(NetlinkError) {
        var rest = bytes
        while let attribute = Attribute(first: rest, message: message) {
            try body(attribute)
            rest = rest.extracting(droppingFirst: (attribute.length + 3) & ~3)
        }
        guard rest.count < Attribute.headerSize else {
            throw .malformed(
                message: MessageName.of(message),
                reason: "an attribute does not fit in the \(rest.count) bytes left for it")
        }
    }
}

/// A view of one attribute. Every accessor checks the length first.
struct Attribute: ~Escapable {
    let type: Int
    let payload: Span<UInt8>
    let message: Int

    fileprivate static var headerSize: Int { MemoryLayout<nlattr>.size }
    /// NLA_TYPE_MASK: without the flags that say how the payload is written.
    private static var typeMask: UInt16 { 0x3FFF }

    /// The attribute at the start of a buffer; nil where none fits into it.
    @_lifetime(copy bytes)
    fileprivate init?(first bytes: Span<UInt8>, message: Int) {
        guard bytes.count >= Self.headerSize else { return nil }
        let header = bytes.load(nlattr.self)
        let length = Int(header.nla_len)
        guard length >= Self.headerSize, length <= bytes.count else { return nil }
        type = Int(header.nla_type & Self.typeMask)
        payload = bytes.extracting(Self.headerSize..<length)
        self.message = message
    }

    fileprivate var length: Int { Self.headerSize + payload.count }

    func uint8() throws(NetlinkError) -> UInt8 { try load(as: UInt8.self) }
    func uint16() throws(NetlinkError) -> UInt16 { try load(as: UInt16.self) }
    func uint32() throws(NetlinkError) -> UInt32 { try load(as: UInt32.self) }
    func int32() throws(NetlinkError) -> Int32 { try load(as: Int32.self) }

    /// A number that means "none" where it is 0.
    func nonzero() throws(NetlinkError) -> UInt32? {
        let value = try uint32()
        return value == 0 ? nil : value
    }

    func load<Value: BitwiseCopyable>(as _: Value.Type) throws(NetlinkError) -> Value {
        try require(MemoryLayout<Value>.size)
        return payload.load(Value.self)
    }

    /// Text up to the first zero byte, or to the end where there is none.
    func string() -> String {
        String(decodingToZero: payload)
    }

    /// A link-layer address: MAX_ADDR_LEN bytes at most.
    func hardwareAddress() -> HardwareAddress {
        HardwareAddress(bytes: [UInt8](payload.extracting(first: 32)))
    }

    /// An address of the family whose length the payload has.
    func address() throws(NetlinkError) -> IPAddress {
        guard let address = IPAddress(bytes: payload) else {
            throw .malformed(
                message: MessageName.of(message), reason: "attribute \(type) has \(payload.count) bytes: no address")
        }
        return address
    }

    /// An address, or nil for `0.0.0.0` and `::`, which mean "any" here.
    func specifiedAddress() throws(NetlinkError) -> IPAddress? {
        let address = try address()
        return address.isUnspecified ? nil : address
    }

    var nested: Attributes {
        @_lifetime(copy self) get { Attributes(bytes: payload, message: message) }
    }

    func require(_ count: Int) throws(NetlinkError) {
        guard payload.count >= count else {
            throw .malformed(
                message: MessageName.of(message),
                reason: "attribute \(type) has \(payload.count) bytes, and \(count) are needed")
        }
    }
}
