/// Reads what arrives unasked on a socket, and tells the kernel's messages from those of others.
struct Listener: ~Copyable, Sendable {
    var handle: SocketHandle
    private var buffer: DatagramBuffer

    /// How many datagrams are read by one system call.
    private static let datagramsACall = 16

    /// - Parameter readBufferSize: How long a datagram may be.
    init(adopting handle: consuming SocketHandle, readBufferSize: Int) {
        self.handle = handle
        buffer = DatagramBuffer(capacity: Self.datagramsACall, size: readBufferSize)
    }

    /// Reads until there is nothing left, or until the budget of datagrams is used up. What a body throws is noted.
    mutating func drain(
        budget: Int, _ body: (Message) throws(NetlinkError) -> Void
    ) -> DrainReport {
        var report = DrainReport()
        var left = budget
        while left > 0 {
            let asked = min(left, buffer.capacity)
            let outcome = buffer.receive(from: handle.descriptor, atMost: asked) { Self.read($0, &report, body) }
            switch outcome {
            case .received(let count):
                left -= count
                report.isDrained = count < asked
            case .overrun:
                left -= 1
                report.overruns += 1
            case .empty: report.isDrained = true
            case .failed(let errno):
                report.failure = .socket(call: "recvmsg", errno)
                return report
            }
            if report.isDrained { return report }
        }
        // Where the budget was just enough, nothing wakes the reader to find that out.
        report.isDrained = handle.isEmpty
        return report
    }

    private static func read(
        _ datagram: DatagramBuffer.View, _ report: inout DrainReport, _ body: (Message) throws(NetlinkError) -> Void
    ) {
        guard datagram.isFromKernel else {
            report.foreign += 1
            return
        }
        report.received += 1
        guard let bytes = datagram.bytes else {
            report.truncated += 1
            return
        }
        do throws(NetlinkError) {
            try Message.forEach(in: bytes) { (message) throws(NetlinkError) in
                // Each by itself: those after it are read all the same.
                do throws(NetlinkError) { try body(message) } catch { report.note(error) }
            }
        } catch {
            report.note(error)
        }
    }
}
