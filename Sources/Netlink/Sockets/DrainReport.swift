/// What one emptying of a ``NotificationSocket`` met with.
public struct DrainReport: Hashable, Sendable {
    /// Datagrams from the kernel, the truncated ones among them.
    public var received = 0
    /// How often the kernel had to drop news because the receive buffer was full (ENOBUFS).
    public var overruns = 0
    /// Datagrams longer than the read buffer. They are never parsed.
    public var truncated = 0
    /// Datagrams that some other process sent. They are never parsed.
    public var foreign = 0
    /// Messages of the kernel that could not be read.
    public var malformedCount = 0
    /// Why they could not be read; only the first few are kept.
    public var malformed: [NetlinkError] = []
    /// Set where reading failed in a way that going on cannot mend. The socket is of no use any more.
    public var failure: NetlinkError? = nil
    /// Whether the socket was read until there was nothing left. Otherwise the budget was used up, and the socket stays
    /// readable.
    public var isDrained = false

    public init() {}

    /// Whether news was lost, so that the state must be asked for again. Ask only once ``isDrained`` is true: until its
    /// queue has been read empty, the kernel goes on dropping news and says so only once.
    public var needsResync: Bool { overruns > 0 || truncated > 0 || malformedCount > 0 }

    static let keptErrors = 8

    mutating func note(_ error: NetlinkError) {
        malformedCount += 1
        if malformed.count < Self.keptErrors { malformed.append(error) }
    }
}
