/// How long the parts of a request may take. Nil means no limit of one's own: the session's, and there none.
public struct Timeouts: Hashable, Sendable {
    /// From the start until the connection can carry the request: look-up, transport and TLS handshake together.
    public var connect: Duration?
    /// The longest time without a byte in either direction, once the connection is made.
    public var idle: Duration?
    /// From the start to the last byte of the answer, with all redirects and challenges on the way. What an interceptor sends
    /// again after a failure has as long once more: each attempt is limited, not their number nor the time between them.
    public var total: Duration?

    public init(connect: Duration? = nil, idle: Duration? = nil, total: Duration? = nil) {
        self.connect = connect
        self.idle = idle
        self.total = total
    }

    /// How long there may be no connection.
    var untilConnected: Duration? {
        guard let connect, let total else { return connect ?? total }
        return min(connect, total)
    }

    /// These time-outs, with the others where they are nil.
    package func falling(backTo others: Timeouts) -> Timeouts {
        Timeouts(connect: connect ?? others.connect, idle: idle ?? others.idle, total: total ?? others.total)
    }
}
