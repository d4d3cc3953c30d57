internal import Broadcast
package import Connectivity

/// The events of a monitor as ``EventSequence`` has them, for a subscriber that takes them out on the monitor's own loop in
/// the moment they come, with no task in between.
package final class EventInbox: Sendable {
    private let mailbox: Mailbox<SharedEvent>

    init(_ mailbox: Mailbox<SharedEvent>) {
        self.mailbox = mailbox
    }

    /// The next event; nil where none is there.
    package func take() -> SharedEvent? { mailbox.take() }

    /// Whether all events were taken and the monitor has stopped.
    package var isOver: Bool { mailbox.isOver }
}

extension ConnectivityMonitor {
    /// First the state as it is, then one event for each transition, until the monitor is stopped.
    ///
    /// - Parameters:
    ///   - results: Whether the end of each probe is told, too (``Event/Kind/result``).
    ///   - arrival: Called when there is something to take, on the monitor's loop, or when it is over. Not for the events that
    ///     are there at once.
    package nonisolated func inbox(
        results: Bool = false, _ arrival: @escaping @Sendable () -> Void
    ) -> EventInbox {
        EventInbox(hub.addReader(wantsResults: results, arrival: arrival))
    }
}
