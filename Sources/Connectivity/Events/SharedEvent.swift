/// An event in one place for all who hand it on: a copy of it is two dozen references to be counted.
final class SharedEvent: Sendable {
    let event: Event

    init(_ event: Event) {
        self.event = event
    }
}
