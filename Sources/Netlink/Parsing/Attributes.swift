import CNetlink
import NetworkAddress

/// A run of netlink attributes (`struct nlattr`), walked with libnl's checks of their lengths.
struct Attributes {
    let bytes: UnsafeRawBufferPointer
    /// The type of the message they are in, for errors.
    let message: Int

    /// Hands over each attribute. One that reaches beyond the end is an error; a rest shorter than an attribute's header
    /// is padding.
    func forEach(_ body: (Attribute) throws(NetlinkError) -> Void) throws(NetlinkError) {
        guard let base = bytes.baseAddress else { return }
        var next = base.assumingMemoryBound(to: nlattr.self)
        var rest = CInt(clamping: bytes.count)
        while nla_ok(next, rest) != 0 {
            try body(Attribute(next, message: message))
            next = UnsafePointer(nla_next(next, &rest))
        }
        guard rest < MemoryLayout<nlattr>.size else {
            throw .malformed(
                message: MessageName.of(message), reason: "an attribute does not fit in the \(rest) bytes left for it")
        }
    }
}

/// A view of one attribute. Every accessor checks the length first.
struct Attribute {
    let type: Int
    let payload: UnsafeRawBufferPointer
    let message: Int

    init(_ attribute: UnsafePointer<nlattr>, message: Int) {
        type = Int(nla_type(attribute))
        payload = UnsafeRawBufferPointer(start: nla_data(attribute), count: Int(nla_len(attribute)))
        self.message = message
    }

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
        return payload.loadUnaligned(as: Value.self)
    }

    /// Text up to the first zero byte, or to the end where there is none.
    func string() -> String {
        String(decoding: payload.prefix { $0 != 0 }, as: UTF8.self)
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

    var nested: Attributes { Attributes(bytes: payload, message: message) }

    func require(_ count: Int) throws(NetlinkError) {
        guard payload.count >= count else {
            throw .malformed(
                message: MessageName.of(message),
                reason: "attribute \(type) has \(payload.count) bytes, and \(count) are needed")
        }
    }
}
