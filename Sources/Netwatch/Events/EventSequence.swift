internal import Broadcast
public import Connectivity

/// The events of a monitor: first the state as it is, then one event for each transition.
///
/// It ends when the monitor is stopped; one that is begun after a stop has the state as it is and ends. Each iterator is a subscriber of its own with a bounded buffer: one that reads
/// too slowly gets the latest state, with the number of events it stands for in `Event.skipped`.
public struct EventSequence: AsyncSequence, Sendable {
    public typealias Element = Event
    public typealias Failure = Never

    let hub: EventHub

    public func makeAsyncIterator() -> Iterator {
        Iterator(mailbox: hub.addReader())
    }

    public struct Iterator: AsyncIteratorProtocol, Sendable {
        let mailbox: Mailbox<SharedEvent>

        /// Waits for the next event; nil once the monitor was stopped or the task cancelled.
        public mutating func next() async -> Event? {
            await mailbox.next()?.event
        }

        public mutating func next(isolation actor: isolated (any Actor)?) async -> Event? {
            await mailbox.next()?.event
        }
    }
}
