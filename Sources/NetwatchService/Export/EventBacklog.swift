package import Connectivity

/// The events that an exporter has still to send, in their order: the latest in memory, or all that a history holds.
package protocol EventBacklog: Sendable {
    /// Takes an event of this run in. It never waits for what is sent.
    func append(_ event: Event)
    /// What follows a place; nil where nothing does yet, or it cannot be read yet: to be asked again within a second. On the
    /// exporter's thread, which it may hold up.
    ///
    /// - Parameter place: Up to where all was sent; nil for up to where all has arrived.
    func next(after place: EventCursor?) -> BacklogEntry?
    /// Everything up to a place has arrived where it was to go. On the exporter's thread, without waiting.
    func delivered(upTo place: EventCursor)
    /// How many events are still to be sent, or about so many.
    var count: Int { get }
}

/// What a backlog holds at one place.
package enum BacklogEntry: Sendable {
    case event(Event, at: EventCursor)
    /// An event, perhaps of an earlier run, as the history has kept it: its line of JSON without the line feed.
    case line([UInt8], at: EventCursor)
    /// The events after one place up to another are not known any more.
    case gap(after: EventCursor, upTo: EventCursor)

    package var place: EventCursor {
        switch self {
        case .event(_, let place), .line(_, let place), .gap(_, let place): place
        }
    }
}

extension [UInt8] {
    /// A line without its line feed.
    func withoutLast() -> [UInt8] { Array(dropLast(1)) }
}
