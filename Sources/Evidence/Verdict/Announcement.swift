package import EventLoop

/// What is published: one cause, one announcement.
package struct Announcement: Sendable {
    package var sequence: UInt64
    package var time: MonotonicTime
    package var from: Verdict?
    package var verdict: Verdict
    /// The targets that it is about.
    package var changes: [(target: Int, health: Health)]
    /// Whether any target may be otherwise than was told, because the verdict is.
    package var isWhole: Bool
    /// How often the verdict has changed, where it changes too often to be told each time.
    package var flaps: Int?
}
