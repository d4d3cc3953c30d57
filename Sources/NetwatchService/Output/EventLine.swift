#if Service
package import Connectivity
import FoundationEssentials

/// Events as JSON: one object a line, as `packaging/netwatch-event.schema.json` describes it.
package struct EventLine: Sendable {
    private let encoder: JSONEncoder

    package init() {
        encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    }

    /// The line with its line feed.
    package func bytes(of event: Event) throws -> [UInt8] {
        var bytes = Array(try encoder.encode(event))
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
#endif
