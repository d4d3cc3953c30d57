import Broadcast

/// The updates of a ``PathMonitor``, beginning with the path as it is.
///
/// A reader that is slower than the updates come holds neither the monitor nor other readers up. It has room for a few; when that is full, they become
/// one that leads from the oldest path to the newest and says how many were skipped.
public struct PathUpdates: AsyncSequence, Sendable {
    public typealias Element = PathUpdate
    public typealias Failure = Never

    let broadcast: UpdateBroadcast

    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: broadcast.subscribe())
    }

    public struct Iterator: AsyncIteratorProtocol {
        let mailbox: Mailbox<PathUpdate>

        /// Waits for the next update; nil once the monitor was stopped or the task cancelled.
        public mutating func next() async -> PathUpdate? {
            await mailbox.next()
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> PathUpdate? {
            await mailbox.next()
        }
    }
}
