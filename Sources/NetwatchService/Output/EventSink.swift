package import Connectivity
import Netwatch

/// Takes events, one at a time and in order. While it is busy, the monitor keeps the latest state for it.
package protocol EventSink: Sendable {
    /// Takes an event, on the loop's thread; throws where no further event can be taken.
    ///
    /// - Returns: What remains to be done with it, to be awaited before the next event; nil where it is all done.
    func accept(_ event: Event) throws -> EventRemainder?
    /// Leaves everything as it was found; called once, however the program ends.
    func finish() async
}

/// What a sink could not do at once with an event.
package typealias EventRemainder = @Sendable () async throws -> Void

extension EventSink {
    package func finish() async {}
}

/// Writes an event as a line: a JSON object, or a line for people.
struct LineSink: EventSink {
    let output: LineOutput
    let isJSON: Bool

    func accept(_ event: Event) throws -> EventRemainder? {
        let line = isJSON ? event.jsonLine : Array((PlainLine.text(of: event) + "\n").utf8)
        let rest = try output.assumeIsolated { try $0.writeAtOnce(line) }
        guard !rest.isEmpty else { return nil }
        return { [output] in try await output.write(rest) }
    }
}

/// Shows nothing: for a program that only serves.
package struct SilentSink: EventSink {
    package init() {}

    package func accept(_ event: Event) throws -> EventRemainder? { nil }
}
