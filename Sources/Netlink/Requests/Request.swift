import CNetlink
import NetworkAddress
import SystemPackage

/// A question under construction: owns one `nl_msg` of libnl's.
struct Request: ~Copyable {
    let message: OpaquePointer
    /// For errors: what is asked, and about what.
    let name: String
    /// Whether many messages will answer (NLM_F_DUMP).
    let isDump: Bool

    /// - Parameters:
    ///   - command: What the kernel's headers call the question, where the type alone does not say.
    ///   - subject: What it is about.
    init<Header: BitwiseCopyable>(
        _ type: Int, named command: String? = nil, about subject: String = "", dump: Bool = false, header: Header
    ) throws(NetlinkError) {
        let command = command ?? MessageName.of(type)
        let name = subject.isEmpty ? command : "\(command) \(subject)"
        guard let message = nlmsg_alloc_simple(CInt(type), dump ? NLM_F_DUMP : 0) else {
            throw .socket(call: "nlmsg_alloc_simple", .noMemory)
        }
        var header = header
        guard nlmsg_append(message, &header, MemoryLayout<Header>.size, CInt(NLMSG_ALIGNTO)) == 0 else {
            nlmsg_free(message)
            throw Self.tooLong(name)
        }
        self.init(adopting: message, name: name, isDump: dump)
    }

    private init(adopting message: OpaquePointer, name: String, isDump: Bool) {
        self.message = message
        self.name = name
        self.isDump = isDump
    }

    deinit {
        nlmsg_free(message)
    }

    borrowing func put(_ type: Int, _ value: UInt32) throws(NetlinkError) {
        guard nla_put_u32(message, CInt(type), value) == 0 else { throw Self.tooLong(name) }
    }

    borrowing func put(_ type: Int, _ value: UInt8) throws(NetlinkError) {
        guard nla_put_u8(message, CInt(type), value) == 0 else { throw Self.tooLong(name) }
    }

    /// Adds a number in network byte order.
    borrowing func put(_ type: Int, bigEndian value: UInt16) throws(NetlinkError) {
        guard nla_put_u16(message, CInt(type), value.bigEndian) == 0 else { throw Self.tooLong(name) }
    }

    borrowing func put(_ type: Int, _ text: String) throws(NetlinkError) {
        guard nla_put_string(message, CInt(type), text) == 0 else { throw Self.tooLong(name) }
    }

    borrowing func put(_ type: Int, _ address: IPAddress) throws(NetlinkError) {
        let bytes = address.bytes
        guard nla_put(message, CInt(type), CInt(bytes.count), bytes) == 0 else { throw Self.tooLong(name) }
    }

    private static func tooLong(_ name: String) -> NetlinkError {
        .refused(request: name, .messageTooLong, message: "it does not fit a netlink message")
    }
}
