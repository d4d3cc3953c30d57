#if Service
package import Connectivity

/// Takes events, one at a time and in order. While it is busy, the monitor keeps the latest state for it.
package protocol EventSink: Sendable {
    /// Takes an event; throws where no further event can be taken.
    func take(_ event: Event) async throws
    /// Leaves everything as it was found; called once, however the program ends.
    func finish() async
}

extension EventSink {
    package func finish() async {}
}

/// Writes an event as a line.
package struct LineSink: EventSink {
    private let output: LineOutput
    private let line: @Sendable (Event) throws -> [UInt8]

    /// One JSON object a line.
    package static func json(_ output: LineOutput) -> LineSink {
        let encoder = EventLine()
        return LineSink(output: output, line: encoder.bytes)
    }

    /// Lines for people.
    package static func plain(_ output: LineOutput) -> LineSink {
        LineSink(output: output) { Array((PlainLine.text(of: $0) + "\n").utf8) }
    }

    package func take(_ event: Event) async throws {
        try await output.write(try line(event))
    }
}

/// Shows nothing: for a program that only serves.
package struct SilentSink: EventSink {
    package init() {}

    package func take(_ event: Event) async throws {}
}
#endif
