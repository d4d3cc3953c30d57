import CNetlink
import SystemPackage

/// The socket that asks the kernel, and listens to nothing else.
///
/// Every call is synchronous: rtnetlink does its work inside `sendmsg(2)`, so that the answer is there when the question
/// is out (2 to 3 µs for a look-up). Owned by one actor; it closes its descriptor when it goes. It needs no privilege.
public struct RequestSocket: ~Copyable, Sendable {
    private var handle: SocketHandle
    private var readBufferSize: Int

    /// The kernel packs up to 32 KiB of a dump into a datagram; one link with many virtual functions may take more.
    package static let defaultReadBufferSize = 64 << 10
    private static let greatestReadBufferSize = 4 << 20
    private static let receiveTimeoutSeconds = 2
    /// How often a dump is tried while the kernel's state changes under it.
    package static let dumpAttempts = 5

    public init() throws(NetlinkError) {
        try self.init(readBufferSize: Self.defaultReadBufferSize)
    }

    package init(readBufferSize: Int, faults: [ReceiveFault] = []) throws(NetlinkError) {
        handle = try Self.open(readBufferSize: readBufferSize)
        handle.faults = faults
        self.readBufferSize = readBufferSize
    }

    private static func open(readBufferSize: Int) throws(NetlinkError) -> SocketHandle {
        let handle = try SocketHandle(protocol: NETLINK_ROUTE)
        try handle.setReadBufferSize(readBufferSize)
        try handle.setReceiveTimeout(seconds: receiveTimeoutSeconds)
        try handle.enable(NETLINK_GET_STRICT_CHK, named: "NETLINK_GET_STRICT_CHK")
        try handle.enable(NETLINK_EXT_ACK, named: "NETLINK_EXT_ACK")
        try handle.enable(NETLINK_CAP_ACK, named: "NETLINK_CAP_ACK")
        return handle
    }

    package var descriptor: CInt { handle.descriptor }

    /// The first answer that a parser makes something of.
    mutating func first<Value>(
        _ request: borrowing Request, _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Value? {
        var value: Value?
        try answer(request) { (message) throws(NetlinkError) in
            if value == nil { value = try parse(message) }
        }
        return value
    }

    /// All answers, asked for again while they are interrupted, a bounded number of times.
    mutating func dump<Value>(
        _ request: borrowing Request, _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Dump<Value> {
        var dump = Dump<Value>(values: [])
        for _ in 0..<Self.dumpAttempts {
            dump.values.removeAll(keepingCapacity: true)
            dump.wasInterrupted = try answer(request) { (message) throws(NetlinkError) in
                if let value = try parse(message) { dump.values.append(value) }
            }
            guard dump.wasInterrupted else { break }
        }
        return dump
    }

    /// Asks, and asks again with a larger buffer where an answer did not fit.
    ///
    /// - Returns: Whether the answer was interrupted (NLM_F_DUMP_INTR).
    @discardableResult
    private mutating func answer(
        _ request: borrowing Request, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> Bool {
        while true {
            var exchange = Exchange(sequence: try send(request))
            try exchange.receive(request, &handle, body)
            guard exchange.wasTruncated else {
                if let error = exchange.firstError { throw error }
                return exchange.wasInterrupted
            }
            try growReadBuffer(for: request.name)
        }
    }

    private func send(_ request: borrowing Request) throws(NetlinkError) -> UInt32 {
        do throws(Errno) {
            return try handle.send(request.message)
        } catch {
            throw .refused(request: request.name, error, message: nil)
        }
    }

    private mutating func growReadBuffer(for request: String) throws(NetlinkError) {
        guard readBufferSize < Self.greatestReadBufferSize else {
            throw .malformed(message: "answer to \(request)", reason: "it is longer than \(readBufferSize) bytes")
        }
        readBufferSize *= 4
        try handle.setReadBufferSize(readBufferSize)
    }
}

/// One question's answers, told from whatever else is in the socket by their sequence number.
private struct Exchange {
    let sequence: UInt32
    var isFinished = false
    var wasInterrupted = false
    var wasTruncated = false
    /// A message that cannot be read does not end the exchange: what is left of it would be taken for the next one's.
    var firstError: NetlinkError?

    init(sequence: UInt32) {
        self.sequence = sequence
    }

    mutating func receive(
        _ request: borrowing Request, _ handle: inout SocketHandle, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        while !isFinished {
            switch handle.receive() {
            case .datagram(let datagram): try read(datagram, request, body)
            case .empty: throw .noAnswer(request: request.name)
            case .truncated:
                wasTruncated = true
                isFinished = !request.isDump
            case .overrun: throw .refused(request: request.name, .noBufferSpace, message: nil)
            case .failed(let errno): throw .refused(request: request.name, errno, message: nil)
            }
        }
    }

    private mutating func read(
        _ datagram: consuming Datagram, _ request: borrowing Request, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        guard datagram.isFromKernel else { return }
        try datagram.withBytes { (bytes) throws(NetlinkError) in
            try Message.forEach(in: bytes) { (message) throws(NetlinkError) in
                guard message.header.nlmsg_seq == sequence else { return }
                try read(message, request, body)
            }
        }
    }

    private mutating func read(
        _ message: Message, _ request: borrowing Request, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        if message.flags.contains(.interruptedDump) { wasInterrupted = true }
        switch message.type {
        case Int(NLMSG_ERROR), Int(NLMSG_DONE):
            isFinished = true
            let reply = try ErrorReply(message)
            if let errno = reply.errno { throw .refused(request: request.name, errno, message: reply.text) }
        case Int(NLMSG_NOOP):
            break
        default:
            isFinished = !message.flags.contains(.multipart)
            do throws(NetlinkError) { try body(message) } catch { firstError = firstError ?? error }
        }
    }
}
