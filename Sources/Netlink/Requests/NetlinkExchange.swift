import CNetlink
import SystemPackage

/// One question's answers, told from whatever else is in the socket by their sequence number.
struct NetlinkExchange {
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
        _ request: borrowing NetlinkRequest, _ handle: borrowing SocketHandle,
        _ body: (Message) throws(NetlinkError) -> Void
    ) throws(NetlinkError) {
        while !isFinished {
            switch handle.receive() {
            case .datagram(let datagram): try read(datagram, request, body)
            case .empty: throw .noAnswer(request: request.name)
            case .truncated:
                // What was lost may have been the end of a dump: nothing can be waited for any more.
                wasTruncated = true
                isFinished = true
            case .overrun: throw .refused(request: request.name, .noBufferSpace, message: nil)
            case .failed(let errno): throw .refused(request: request.name, errno, message: nil)
            }
        }
    }

    private mutating func read(
        _ datagram: consuming Datagram, _ request: borrowing NetlinkRequest,
        _ body: (Message) throws(NetlinkError) -> Void
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
        _ message: Message, _ request: borrowing NetlinkRequest, _ body: (Message) throws(NetlinkError) -> Void
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
