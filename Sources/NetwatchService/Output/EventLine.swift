#if Service
import CompactJSON
package import Connectivity

/// Events as JSON: one object a line, as `packaging/netwatch-event.schema.json` describes it.
package struct EventLine: Sendable {
    private let encoder = CompactJSONEncoder()

    package init() {}

    /// The line with its line feed.
    package func bytes(of event: Event) throws -> [UInt8] {
        var bytes = try encoder.encode(event)
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
#endif
