package import Connectivity
import Netwatch

/// The first line of a trace file: what it is, and what the recorded run began with.
package struct TraceHeader: Hashable, Sendable, Codable {
    /// The version of the file's shape that is written: 2 since probes are recorded exchange by exchange.
    package static let currentSchema = 2
    /// The versions that are read. A recording of version 1 replays to the same paths; its probes were recorded as
    /// verdicts, so what follows from them may differ from what its own version told.
    package static let readableSchemas = 1...currentSchema
    package static let format = "netwatch-trace"

    package let format: String
    package let schema: Int
    /// The program that wrote it.
    package let version: String
    package let start: MonitorRecord.Start

    package init(_ start: MonitorRecord.Start) {
        format = Self.format
        schema = Self.currentSchema
        version = NetwatchVersion.current
        self.start = start
    }

    /// What is read before the rest, which another schema may have written otherwise.
    struct Preface: Decodable {
        let format: String
        let schema: Int
    }
}
