import EventLoop
import Synchronization

/// Wakes one task that waits on a loop. Rung while none waits, it is heard by the next that does.
final class Bell: Sendable {
    private struct State {
        var isRung = false
        var waiting: FirstOutcome<Bool>?
    }

    private let loop: EventLoop
    private let state = Mutex(State())

    init(loop: EventLoop) {
        self.loop = loop
    }

    /// Never waits. From any thread.
    func ring() {
        let waiting = state.withLock { state in
            defer { state.waiting = nil }
            state.isRung = state.waiting == nil
            return state.waiting
        }
        // One whose time had come hears nothing any more: the next that waits does.
        if let waiting, !waiting.finish(true) { ring() }
    }

    /// Forgets that it was rung.
    func silence() {
        state.withLock { $0.isRung = false }
    }

    /// Waits until it is rung, the time has come, or the task is cancelled.
    ///
    /// - Parameter deadline: Nil for none.
    /// - Returns: Whether it was rung.
    @discardableResult
    func wait(until deadline: MonotonicTime? = nil) async -> Bool {
        await FirstOutcome<Bool>(loop: loop).value(ifCancelled: false) { outcome in
            let isRung = state.withLock { state in
                defer { state.isRung = false }
                if !state.isRung { state.waiting = outcome }
                return state.isRung
            }
            if isRung { outcome.finish(true) } else if let deadline { outcome.finish(false, at: deadline) }
        }
    }

    /// Waits so long, whether it is rung or not where that is fixed.
    ///
    /// - Returns: Whether it was rung before the time had come.
    func pause(_ delay: Duration, isFixed: Bool) async -> Bool {
        let deadline = MonotonicTime.now.advanced(by: delay)
        guard isFixed else { return await wait(until: deadline) }
        try? await loop.sleep(until: deadline)
        return false
    }
}
