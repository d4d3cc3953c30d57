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

/// Writes an event as a line.
package struct LineSink: EventSink {
    private let output: LineOutput
    private let form: Form

    private enum Form {
        case json, plain
    }

    /// One JSON object a line.
    package static func json(_ output: LineOutput) -> LineSink {
        LineSink(output: output, form: .json)
    }

    /// Lines for people.
    package static func plain(_ output: LineOutput) -> LineSink {
        LineSink(output: output, form: .plain)
    }

    package func accept(_ event: Event) throws -> EventRemainder? {
        let rest = try output.assumeIsolated { output in
            switch form {
            case .json: try output.writeAtOnce(event.jsonLine)
            case .plain: try output.writeAtOnce(plainLine(event))
            }
        }
        guard !rest.isEmpty else { return nil }
        return { [output] in try await output.write(rest) }
    }

    /// Writes the whole line, waiting for the reader where it must.
    package func take(_ event: Event) async throws {
        try await output.write(form == .json ? event.jsonLine : plainLine(event))
    }

    private func plainLine(_ event: Event) -> [UInt8] {
        Array((PlainLine.text(of: event) + "\n").utf8)
    }
}

/// Shows nothing: for a program that only serves.
package struct SilentSink: EventSink {
    package init() {}

    package func accept(_ event: Event) throws -> EventRemainder? { nil }
}
