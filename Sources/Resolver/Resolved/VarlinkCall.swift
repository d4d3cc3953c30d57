internal import EventLoop
internal import Synchronization
internal import SystemPackage

/// One call over varlink. The answer, the deadline and the task's cancellation race for its end.
final class VarlinkCall: Sendable {
    enum Outcome: Sendable {
        case answer([UInt8])
        case timedOut
        case cancelled
        case failed(Errno)
    }

    private struct Exchange {
        var socket: VarlinkSocket?
        var received: [UInt8] = []
    }

    private let wait: FirstOutcome<Outcome>
    private let exchange = Mutex(Exchange())

    init(loop: EventLoop) {
        wait = FirstOutcome(loop: loop)
    }

    /// Sends a message to a service and waits for what it answers.
    func send(_ message: [UInt8], to path: String, until deadline: MonotonicTime) async -> Outcome {
        await wait.value(ifCancelled: .cancelled) { wait in
            wait.finish(.timedOut, at: deadline)
            do throws(Errno) { try begin(message, path) } catch { wait.finish(.failed(error)) }
        }
    }

    private func begin(_ message: [UInt8], _ path: String) throws(Errno) {
        let socket = try VarlinkSocket(path: path)
        try socket.send(message)
        exchange.withLock { $0.socket = socket }
        do throws(EventLoopError) {
            try wait.watch(socket.descriptor, for: .readable) { _ in self.receive() }
        } catch {
            throw .tooManyOpenFiles
        }
    }

    private func receive() {
        let outcome: Outcome? = exchange.withLock { exchange in
            do throws(Errno) {
                while let bytes = try exchange.socket?.read() {
                    exchange.received += bytes
                    if let end = exchange.received.firstIndex(of: 0) {
                        return .answer(Array(exchange.received[..<end]))
                    }
                    guard exchange.received.count <= VarlinkSocket.mostBytes else { return .failed(.messageTooLong) }
                }
                return nil
            } catch {
                return .failed(error)
            }
        }
        if let outcome { wait.finish(outcome) }
    }
}
