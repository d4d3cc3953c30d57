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

extension LoopTimer: Comparable {
    public static func < (lhs: LoopTimer, rhs: LoopTimer) -> Bool {
        (lhs.deadline, lhs.id) < (rhs.deadline, rhs.id)
    }
}
