/// The topics of one host: `PREFIX/HOST/online`, `state`, `events`.
package struct FleetTopics: Hashable, Sendable {
    private let base: String

    /// - Parameter host: Its id or its configured name.
    package init(prefix: String, host: String) {
        base = "\(prefix)/\(host)/"
    }

    /// Retained: a `Presence`.
    package var online: String { base + "online" }
    /// Retained: a snapshot.
    package var state: String { base + "state" }
    package var events: String { base + "events" }
}
