import CNetlink
import NetworkAddress
import SystemPackage

/// A question under construction: owns one `nl_msg` of libnl's.
@safe
struct NetlinkRequest: ~Copyable {
    let message: OpaquePointer
    private let type: Int
    private let command: String?
    private let subject: RequestSubject

    /// - Parameters:
    ///   - command: What the kernel's headers call the question, where the type alone does not say.
    ///   - subject: What it is about.
    ///   - dump: Whether many messages will answer (NLM_F_DUMP).
    init<Header: BitwiseCopyable>(
        _ type: Int, named command: String? = nil, about subject: RequestSubject = .nothing, dump: Bool = false,
        header: Header
    ) throws(NetlinkError) {
        guard let message = unsafe nlmsg_alloc_simple(CInt(type), dump ? NLM_F_DUMP : 0) else {
            throw .socket(call: "nlmsg_alloc_simple", .noMemory)
        }
        var header = header
        guard unsafe nlmsg_append(message, &header, MemoryLayout<Header>.size, CInt(NLMSG_ALIGNTO)) == 0 else {
            unsafe nlmsg_free(message)
            throw .socket(call: "nlmsg_append", .noMemory)
        }
        unsafe self.message = message
        self.type = type
        self.command = command
        self.subject = subject
    }

    deinit {
        unsafe nlmsg_free(message)
    }

    /// The message as it is sent beside others in one datagram, except for its number.
    var bytes: [UInt8] {
        guard let header = unsafe nlmsg_hdr(message) else { return [] }
        unsafe header.pointee.nlmsg_flags |= UInt16(NLM_F_REQUEST)
        return unsafe Array(UnsafeRawBufferPointer(start: header, count: Int(header.pointee.nlmsg_len)))
    }

    /// For errors: what is asked, and about what.
    var name: String {
        let command = command ?? MessageName.of(type)
        let subject = "\(subject)"
        return subject.isEmpty ? command : "\(command) \(subject)"
    }

    borrowing func put(_ type: Int, _ value: UInt32) throws(NetlinkError) {
        guard unsafe nla_put_u32(message, CInt(type), value) == 0 else { throw tooLong }
    }

    borrowing func put(_ type: Int, _ value: UInt8) throws(NetlinkError) {
        guard unsafe nla_put_u8(message, CInt(type), value) == 0 else { throw tooLong }
    }

    /// Adds a number in network byte order.
    borrowing func put(_ type: Int, bigEndian value: UInt16) throws(NetlinkError) {
        guard unsafe nla_put_u16(message, CInt(type), value.bigEndian) == 0 else { throw tooLong }
    }

    borrowing func put(_ type: Int, _ text: String) throws(NetlinkError) {
        guard unsafe nla_put_string(message, CInt(type), text) == 0 else { throw tooLong }
    }

    borrowing func put(_ type: Int, _ address: IPAddress) throws(NetlinkError) {
        let bytes = address.bytes
        guard unsafe nla_put(message, CInt(type), CInt(bytes.count), bytes) == 0 else { throw tooLong }
    }

    borrowing func put(_ type: Int, bytes: [UInt8]) throws(NetlinkError) {
        guard unsafe nla_put(message, CInt(type), CInt(bytes.count), bytes) == 0 else { throw tooLong }
    }

    private var tooLong: NetlinkError {
        .refused(request: name, .messageTooLong, message: "it does not fit a netlink message")
    }
}
