internal import Broadcast
internal import Connectivity

extension SharedEvent: Broadcastable {
    package static func standing(for events: [SharedEvent]) -> SharedEvent {
        SharedEvent(events[events.count - 1].event.standing(for: events.dropLast().map(\.event)))
    }

    /// A result has the number of the event before it.
    package var number: UInt64? { event.kind == .result ? nil : event.seq }
}
