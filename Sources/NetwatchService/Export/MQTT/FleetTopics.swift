/// The topics of one host: `PREFIX/HOST/online`, `state`, `events`.
package struct FleetTopics: Hashable, Sendable {
    private let base: String

    /// - Parameter host: Its id or its configured name.
    package init(prefix: String, host: String) {
        base = "\(prefix)/\(host)/"
    }

    /// Retained: ``Presence``.
    package var online: String { base + "online" }
    /// Retained: a snapshot.
    package var state: String { base + "state" }
    package var events: String { base + "events" }

    /// What is published on ``online``.
    package enum Presence: String, Hashable, Sendable {
        /// It is connected.
        case online
        /// Its connection broke off: the last will says so.
        case offline
        /// Its service has ended on purpose.
        case stopped
    }
}
