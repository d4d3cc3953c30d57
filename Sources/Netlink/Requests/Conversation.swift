import CNetlink
import SystemPackage

/// Questions and answers over one socket: sends a request, reads what answers it, and repairs what can be repaired.
struct Conversation: ~Copyable, Sendable {
    var handle: SocketHandle
    private let netlinkProtocol: CInt
    private var readBufferSize: Int

    /// The kernel packs up to 32 KiB of a dump into a datagram; one link with many virtual functions may take more.
    static let defaultReadBufferSize = 64 << 10
    private static let greatestReadBufferSize = 4 << 20
    private static let receiveTimeoutSeconds = 2
    /// How often a dump is tried while the kernel's state changes under it.
    static let dumpAttempts = 5

    init(protocol netlinkProtocol: CInt, readBufferSize: Int = defaultReadBufferSize) throws(NetlinkError) {
        handle = try Self.open(netlinkProtocol, readBufferSize)
        self.netlinkProtocol = netlinkProtocol
        self.readBufferSize = readBufferSize
    }

    private static func open(_ netlinkProtocol: CInt, _ readBufferSize: Int) throws(NetlinkError) -> SocketHandle {
        let handle = try SocketHandle(protocol: netlinkProtocol)
        try handle.setReadBufferSize(readBufferSize)
        try handle.setReceiveTimeout(seconds: receiveTimeoutSeconds)
        try handle.enable(NETLINK_GET_STRICT_CHK, named: "NETLINK_GET_STRICT_CHK")
        try handle.enable(NETLINK_EXT_ACK, named: "NETLINK_EXT_ACK")
        try handle.enable(NETLINK_CAP_ACK, named: "NETLINK_CAP_ACK")
        return handle
    }

    /// The first answer that a parser makes something of.
    mutating func first<Value>(
        _ request: borrowing NetlinkRequest, _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Value? {
        var value: Value?
        var outcome = Outcome.truncated
        while outcome == .truncated {
            outcome = try ask(request) { (message) throws(NetlinkError) in
                if value == nil { value = try parse(message) }
            }
        }
        return value
    }

    /// All answers, asked for again while they are interrupted, a bounded number of times.
    mutating func dump<Value>(
        _ request: borrowing NetlinkRequest, _ parse: (Message) throws(NetlinkError) -> Value?
    ) throws(NetlinkError) -> Dump<Value> {
        let (values, wasInterrupted) = try fold(request, into: [Value]()) { (values, message) throws(NetlinkError) in
            if let value = try parse(message) { values.append(value) }
        }
        return Dump(values: values, wasInterrupted: wasInterrupted)
    }

    /// All answers, put together one after the other, so that thousands take no memory. It begins anew where they have to be
    /// asked for again, and tells whether the last time was interrupted, too.
    mutating func fold<Result>(
        _ request: borrowing NetlinkRequest, into initial: Result,
        _ update: (inout Result, Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> (result: Result, wasInterrupted: Bool) {
        var result = initial
        var wasInterrupted = false
        var attempts = 0
        while attempts < Self.dumpAttempts {
            result = initial
            let outcome = try ask(request) { (message) throws(NetlinkError) in try update(&result, message) }
            wasInterrupted = outcome == .interrupted
            if outcome == .complete { break }
            // Truncations are bounded by the size of the buffer.
            if wasInterrupted { attempts += 1 }
        }
        return (result, wasInterrupted)
    }

    private enum Outcome {
        case complete
        /// NLM_F_DUMP_INTR: what was asked for changed meanwhile.
        case interrupted
        /// An answer did not fit. The buffer is larger now.
        case truncated
    }

    /// Asks once and hands over what answers.
    private mutating func ask(
        _ request: borrowing NetlinkRequest, _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) -> Outcome {
        var exchange = NetlinkExchange(sequence: try send(request))
        do throws(NetlinkError) {
            try exchange.receive(request, handle, body)
        } catch {
            if !exchange.isFinished { try renew() }
            throw error
        }
        if exchange.wasTruncated {
            try growReadBuffer(for: request.name)
            try renew()
            return .truncated
        }
        if let error = exchange.firstError { throw error }
        return exchange.wasInterrupted ? .interrupted : .complete
    }

    /// Goes on with a fresh socket: where an exchange broke off, what is left of it would make the kernel refuse the next
    /// dump (EBUSY).
    private mutating func renew() throws(NetlinkError) {
        handle = try Self.open(netlinkProtocol, readBufferSize)
    }

    private func send(_ request: borrowing NetlinkRequest) throws(NetlinkError) -> UInt32 {
        do throws(Errno) {
            return try unsafe handle.send(request.message)
        } catch {
            throw .refused(request: request.name, error, message: nil)
        }
    }

    private mutating func growReadBuffer(for request: String) throws(NetlinkError) {
        guard readBufferSize < Self.greatestReadBufferSize else {
            throw .malformed(message: "answer to \(request)", reason: "it is longer than \(readBufferSize) bytes")
        }
        readBufferSize *= 4
    }
}
