internal import EventLoop

/// A wait for a socket of a probe's.
struct ReadinessWait {
    enum Outcome: Sendable {
        case ready
        case timedOut
        /// The task was cancelled, or the socket cannot be watched.
        case cancelled
    }

    let loop: EventLoop

    /// Waits until the socket is ready or the time has come.
    func outcome(_ socket: ProbeSocket, _ interest: Readiness, until deadline: MonotonicTime) async -> Outcome {
        await FirstOutcome<Outcome>(loop: loop).value(ifCancelled: .cancelled) { wait in
            wait.finish(.timedOut, at: deadline)
            do throws(EventLoopError) {
                try wait.watch(socket.descriptor, for: interest) { $0.finish(.ready) }
            } catch {
                wait.finish(.cancelled)
            }
        }
    }
}
