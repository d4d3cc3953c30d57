/// An event in one place for all that hand it on: a copy of it is two dozen references to be counted.
package final class SharedEvent: Sendable {
    package let event: Event

    package init(_ event: consuming Event) {
        self.event = event
    }
}
