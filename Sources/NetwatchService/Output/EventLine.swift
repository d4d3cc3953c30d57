#if Service
import CompactJSON
package import Connectivity
import Reachability
import Synchronization

/// Events as JSON: one object a line, as `packaging/netwatch-event.schema.json` describes it.
package final class EventLine: Sendable {
    private let encoder = CompactJSONEncoder()
    private let fragments: Mutex<JSONFragments>

    package init() {
        var fragments = JSONFragments()
        fragments.keep(Interface.self, latest: 16)
        fragments.keep(FamilyPath.self, latest: 8)
        self.fragments = Mutex(fragments)
    }

    /// The line with its line feed.
    package func bytes(of event: Event) throws -> [UInt8] {
        var bytes = try fragments.withLock { try encoder.encode(event, reusing: &$0) }
        bytes.append(UInt8(ascii: "\n"))
        return bytes
    }
}
#endif
