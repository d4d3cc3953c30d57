package import EventLoop

/// What is published: one cause, one announcement.
package struct Announcement: Sendable {
    package var sequence: UInt64
    package var time: MonotonicTime
    package var from: Verdict?
    package var verdict: Verdict
    /// The targets that it is about, at most twenty, and how many more there are.
    package var changes: [(target: Int, health: Health)]
    package var omitted: Int
    /// How often the verdict has changed, where it changes too often to be told each time.
    package var flaps: Int?
}
