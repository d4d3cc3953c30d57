package import EventLoop
package import NetworkAddress

/// Something the model wants sent.
package struct Ask: Hashable, Sendable, Identifiable {
    /// Counts what one model has asked from 1.
    package var id: UInt64
    package var question: Question
    /// How long it may take in all.
    package var timeout: Duration
    /// When it was to be sent.
    package var due: MonotonicTime

    package enum Question: Hashable, Sendable {
        /// All that the target wants asked, at these addresses: the first that answers (RFC 8305).
        case probe(target: Int, addresses: [IPAddress])
        /// A word of any kind from a host, by its way: a connection that is reset. The target's port, where it is one's.
        case touch(Host, target: Int?)
        /// The addresses of a name, from this server; nil for whatever servers this host knows.
        case name(String, server: IPAddress?)
    }
}
