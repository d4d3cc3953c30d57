#if Service
package import Connectivity

/// The first line of a trace file: what it is, and what the recorded run began with.
package struct TraceHeader: Hashable, Sendable, Codable {
    /// The version of the file's shape. A reader refuses any other.
    package static let currentSchema = 1
    package static let format = "netwatch-trace"

    package let format: String
    package let schema: Int
    /// The program that wrote it.
    package let version: String
    package let start: MonitorRecord.Start

    package init(_ start: MonitorRecord.Start) {
        format = Self.format
        schema = Self.currentSchema
        version = Version.current
        self.start = start
    }

    /// What is read before the rest, which another schema may have written otherwise.
    struct Preface: Decodable {
        let format: String
        let schema: Int
    }
}
#endif
