/// Names a descriptor that an ``EventLoop`` watches. It does not own the descriptor.
public struct Watch: Hashable, Sendable {
    let id: UInt64
    let descriptor: CInt
}

/// Names a pending timer of an ``EventLoop``.
public struct LoopTimer: Hashable, Sendable {
    let id: UInt64
    let deadline: MonotonicTime
}

/// Names an alarm of an ``EventLoop``: a timer that is set many times, which costs less than as many timers.
package struct LoopAlarm: Hashable, Sendable {
    let id: UInt64
}

extension LoopTimer: Comparable {
    public static func < (lhs: LoopTimer, rhs: LoopTimer) -> Bool {
        (lhs.deadline, lhs.id) < (rhs.deadline, rhs.id)
    }
}
