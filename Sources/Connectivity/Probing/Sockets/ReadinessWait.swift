internal import EventLoop
internal import Synchronization

/// A wait for a socket. Readiness, the deadline and the task's cancellation race for it, and one of them ends it.
final class ReadinessWait: Sendable {
    enum Outcome: Sendable {
        case ready
        case timedOut
        case cancelled
    }

    private struct State {
        var continuation: CheckedContinuation<Outcome, Never>?
        var outcome: Outcome?
        var watch: Watch?
        var timer: Timer?
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Waits until the socket is ready or the time has come.
    func outcome(_ socket: ProbeSocket, _ interest: Readiness, until deadline: MonotonicTime) async -> Outcome {
        await withTaskCancellationHandler {
            await withCheckedContinuation { begin(socket, interest, deadline, $0) }
        } onCancel: {
            finish(.cancelled)
        }
    }

    private func begin(
        _ socket: ProbeSocket, _ interest: Readiness, _ deadline: MonotonicTime,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        let early: Outcome? = state.withLock { state in
            if let outcome = state.outcome { return outcome }
            state.timer = loop.schedule(at: deadline) { self.finish(.timedOut) }
            state.watch = try? loop.watch(socket.descriptor, for: interest) { _ in self.finish(.ready) }
            guard state.watch != nil else { return .cancelled }
            state.continuation = continuation
            return nil
        }
        if let early { continuation.resume(returning: early) }
    }

    private func finish(_ outcome: Outcome) {
        let ended = state.withLock { state in
            state.outcome = state.outcome ?? outcome
            defer { state = State(outcome: state.outcome) }
            return state
        }
        if let watch = ended.watch { loop.end(watch) }
        if let timer = ended.timer { loop.cancel(timer) }
        ended.continuation?.resume(returning: outcome)
    }
}
