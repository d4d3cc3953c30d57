internal import EventLoop

/// A wait for sockets of a probe's.
struct ReadinessWait {
    enum Outcome: Sendable {
        /// One of them is, by its place.
        case ready(Int)
        case timedOut
        /// The task was cancelled, or the socket cannot be watched.
        case cancelled
    }

    let loop: EventLoop

    /// Waits until the socket is ready or the time has come.
    func outcome(
        _ socket: ProbeSocket, _ interest: Readiness, until deadline: MonotonicTime
    ) async -> Outcome {
        await outcome(of: [socket], interest, until: deadline)
    }

    /// Waits until one of the sockets is ready, and tells which, or the time has come.
    func outcome(
        of sockets: [ProbeSocket], _ interest: Readiness, until deadline: MonotonicTime
    ) async -> Outcome {
        await FirstOutcome<Outcome>(loop: loop).value(ifCancelled: .cancelled) { wait in
            wait.finish(.timedOut, at: deadline)
            for (index, socket) in sockets.enumerated() {
                do throws(EventLoopError) {
                    try wait.watch(socket.descriptor, for: interest) { $0.finish(.ready(index)) }
                } catch {
                    wait.finish(.cancelled)
                }
            }
        }
    }
}
