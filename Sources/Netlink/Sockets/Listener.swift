/// Reads what arrives unasked on a socket, and tells the kernel's messages from those of others.
struct Listener: ~Copyable, Sendable {
    var handle: SocketHandle
    private var buffer: DatagramBuffer

    /// How many datagrams are read by one system call.
    private static let datagramsACall = 4

    /// - Parameter readBufferSize: How long a datagram may be.
    init(adopting handle: consuming SocketHandle, readBufferSize: Int) {
        self.handle = handle
        buffer = DatagramBuffer(capacity: Self.datagramsACall, size: readBufferSize)
    }

    /// Reads until there is nothing left, or until the budget of datagrams is used up.
    mutating func drain(
        budget: Int, _ body: (Message, inout DrainReport) -> Void
    ) -> DrainReport {
        var report = DrainReport()
        var left = budget
        while left > 0 {
            let asked = handle.faults.isEmpty ? min(left, buffer.capacity) : 1
            switch receive(atMost: asked, &report, body) {
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
        return report
    }

    private mutating func receive(
        atMost count: Int, _ report: inout DrainReport, _ body: (Message, inout DrainReport) -> Void
    ) -> DatagramBuffer.Outcome {
        if let fault = handle.takeFault() { return provoke(fault, &report, body) }
        return buffer.receive(from: handle.descriptor, atMost: count) { Self.read($0, &report, body) }
    }

    /// What a test has ordered in the place of one call.
    private mutating func provoke(
        _ fault: ReceiveFault, _ report: inout DrainReport, _ body: (Message, inout DrainReport) -> Void
    ) -> DatagramBuffer.Outcome {
        if case .failure(let errno) = fault { return DatagramBuffer.Outcome(errno) }
        return buffer.receive(from: handle.descriptor, atMost: 1) { datagram in
            Self.read(fault == .truncation ? datagram.truncated : datagram, &report, body)
        }
    }

    private static func read(
        _ datagram: DatagramBuffer.View, _ report: inout DrainReport, _ body: (Message, inout DrainReport) -> Void
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
            try Message.forEach(in: bytes) { (message) throws(NetlinkError) in body(message, &report) }
        } catch {
            report.note(error)
        }
    }
}
