import CNetlink
import NetworkAddress

/// A view of one netlink message in a buffer of the caller's. The compiler sees to it that none outlives the buffer.
struct Message: ~Escapable {
    let header: nlmsghdr
    /// The whole message, header included.
    let bytes: Span<UInt8>

    var type: Int { Int(header.nlmsg_type) }
    var flags: MessageFlags { MessageFlags(rawValue: header.nlmsg_flags) }
    var payload: Span<UInt8> {
        @_lifetime(copy self) get { bytes.extracting(droppingFirst: Self.headerSize) }
    }

    static let headerSize = MemoryLayout<nlmsghdr>.size

    /// Walks over the messages of a datagram. A header whose length does not fit ends the walk with an error.
    static func forEach(
        in bytes: Span<UInt8>, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        var rest = bytes
        while !rest.isEmpty {
            let message = try Message(first: rest)
            try body(message)
            let length = (message.bytes.count + 3) & ~3
            rest = rest.extracting(droppingFirst: length)
        }
    }

    /// The message at the start of a buffer.
    @_lifetime(copy bytes)
    init(first bytes: Span<UInt8>) throws(NetlinkError) {
        guard bytes.count >= Self.headerSize else {
            throw .malformed(message: "datagram", reason: "\(bytes.count) bytes are too few for a message header")
        }
        header = bytes.load(nlmsghdr.self)
        let length = Int(header.nlmsg_len)
        guard length >= Self.headerSize, length <= bytes.count else {
            throw .malformed(
                message: MessageName.of(Int(header.nlmsg_type)),
                reason: "its header says \(length) bytes, and there are \(bytes.count)")
        }
        self.bytes = bytes.extracting(first: length)
    }

    /// For errors: what the kernel's headers call this message.
    var name: String { MessageName.of(type) }

    /// The fixed part at the start of the payload.
    func fixedPart<Header: BitwiseCopyable>(_: Header.Type) throws(NetlinkError) -> Header {
        guard payload.count >= MemoryLayout<Header>.size else {
            throw .malformed(message: name, reason: "\(payload.count) bytes are too few for its fixed part")
        }
        return payload.load(Header.self)
    }

    /// The attributes that follow the fixed part.
    ///
    /// - Parameter skipped: The length of what stands between the two.
    @_lifetime(copy self)
    func attributes<Header>(after _: Header.Type, skipping skipped: Int = 0) -> Attributes {
        let offset = (MemoryLayout<Header>.size + skipped + 3) & ~3
        return Attributes(bytes: payload.extracting(droppingFirst: offset), message: type)
    }
}
