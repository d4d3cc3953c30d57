/// Names a task of a session. It is unique within the process, since one monitor may watch several sessions, and stays
/// the same over redirects and retries.
public struct TaskID: Hashable, Sendable, CustomStringConvertible {
    public let number: UInt64

    public var description: String { "\(number)" }
}

extension TaskID: Comparable {
    public static func < (lhs: TaskID, rhs: TaskID) -> Bool { lhs.number < rhs.number }
}
