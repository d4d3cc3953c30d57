import CNetlink

/// A view of one netlink message in a buffer of the caller's: valid only inside the call that hands it over.
struct Message {
    let header: nlmsghdr
    /// The whole message, header included.
    let bytes: UnsafeRawBufferPointer

    var type: Int { Int(header.nlmsg_type) }
    var flags: MessageFlags { MessageFlags(rawValue: header.nlmsg_flags) }
    var payload: UnsafeRawBufferPointer { bytes.after(Self.headerSize) }

    static let headerSize = MemoryLayout<nlmsghdr>.size

    /// Walks over the messages of a datagram. A header whose length does not fit ends the walk with an error.
    static func forEach(
        in bytes: UnsafeRawBufferPointer, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        var rest = bytes
        while !rest.isEmpty {
            let message = try Message(first: rest)
            try body(message)
            let length = (message.bytes.count + 3) & ~3
            rest = rest.after(length)
        }
    }

    /// The message at the start of a buffer.
    init(first bytes: UnsafeRawBufferPointer) throws(NetlinkError) {
        guard bytes.count >= Self.headerSize else {
            throw .malformed(message: "datagram", reason: "\(bytes.count) bytes are too few for a message header")
        }
        header = bytes.loadUnaligned(as: nlmsghdr.self)
        let length = Int(header.nlmsg_len)
        guard length >= Self.headerSize, length <= bytes.count else {
            throw .malformed(
                message: MessageName.of(Int(header.nlmsg_type)),
                reason: "its header says \(length) bytes, and there are \(bytes.count)")
        }
        self.bytes = UnsafeRawBufferPointer(start: bytes.baseAddress, count: length)
    }

    /// For errors: what the kernel's headers call this message.
    var name: String { MessageName.of(type) }

    /// The fixed part at the start of the payload.
    func fixedPart<Header: BitwiseCopyable>(_: Header.Type) throws(NetlinkError) -> Header {
        guard payload.count >= MemoryLayout<Header>.size else {
            throw .malformed(message: name, reason: "\(payload.count) bytes are too few for its fixed part")
        }
        return payload.loadUnaligned(as: Header.self)
    }

    /// The attributes that follow the fixed part.
    ///
    /// - Parameter skipped: The length of what stands between the two.
    func attributes<Header>(after _: Header.Type, skipping skipped: Int = 0) -> Attributes {
        let offset = (MemoryLayout<Header>.size + skipped + 3) & ~3
        return Attributes(bytes: payload.after(offset), message: type)
    }
}

extension UnsafeRawBufferPointer {
    /// What comes after so many bytes; nothing where there are no more.
    func after(_ length: Int) -> UnsafeRawBufferPointer {
        guard let baseAddress, length < count else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(start: baseAddress + length, count: count - length)
    }
}
