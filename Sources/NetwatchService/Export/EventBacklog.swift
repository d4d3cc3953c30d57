#if Service
package import Connectivity

/// The events that an exporter has still to send, in their order: the latest in memory, or all that a history holds.
package protocol EventBacklog: Sendable {
    /// What follows a place; nil where nothing does yet. From any thread.
    ///
    /// - Parameter place: Up to where all was sent; nil for from the beginning.
    func next(after place: EventCursor?) -> BacklogEntry?
    /// Everything up to a place has arrived where it was to go. From any thread.
    func delivered(upTo place: EventCursor)
    /// How many events are still to be sent.
    var count: Int { get }
}

/// What a backlog holds at one place.
package enum BacklogEntry: Sendable {
    case event(Event, at: EventCursor)
    /// The events after one place up to another are not known any more.
    case gap(after: EventCursor, upTo: EventCursor)

    package var place: EventCursor {
        switch self {
        case .event(_, let place), .gap(_, let place): place
        }
    }
}
#endif
