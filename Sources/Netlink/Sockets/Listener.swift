/// Reads what arrives unasked on a socket, and tells the kernel's messages from those of others.
struct Listener: ~Copyable, Sendable {
    var handle: SocketHandle

    init(adopting handle: consuming SocketHandle) {
        self.handle = handle
    }

    /// Reads until there is nothing left, or until the budget of datagrams is used up.
    mutating func drain(
        budget: Int, _ body: (Message, inout DrainReport) -> Void
    ) -> DrainReport {
        var report = DrainReport()
        for _ in 0..<budget {
            switch handle.receive() {
            case .datagram(let datagram): Self.read(datagram, &report, body)
            case .overrun: report.overruns += 1
            case .truncated:
                report.received += 1
                report.truncated += 1
            case .empty:
                report.isDrained = true
                return report
            case .failed(let errno):
                report.failure = .socket(call: "recvmsg", errno)
                return report
            }
        }
        return report
    }

    private static func read(
        _ datagram: consuming Datagram, _ report: inout DrainReport, _ body: (Message, inout DrainReport) -> Void
    ) {
        guard datagram.isFromKernel else {
            report.foreign += 1
            return
        }
        report.received += 1
        datagram.withBytes { bytes in
            do throws(NetlinkError) {
                try Message.forEach(in: bytes) { (message) throws(NetlinkError) in body(message, &report) }
            } catch {
                report.note(error)
            }
        }
    }
}
