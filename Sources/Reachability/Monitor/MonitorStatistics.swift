import Netlink

/// What a ``PathMonitor`` has done since it was made. All are counts that only grow.
public struct MonitorStatistics: Hashable, Sendable, Codable {
    /// The kernel's messages, by what they were about.
    public var messages = MessageCounts()
    /// How many of those could not have changed a path, and led to no question.
    public var irrelevantMessages: UInt64 = 0
    /// How often the kernel dropped messages because the receive buffer was full (ENOBUFS).
    public var overruns: UInt64 = 0
    /// How many messages it dropped then, by its own account.
    public var droppedMessages: UInt64 = 0
    /// How often the state was read anew, by why.
    public var resyncs: [ResyncCause: UInt64] = [:]
    /// How often a dump was repeated because changes interrupted it (NLM_F_DUMP_INTR).
    public var interruptedDumps: UInt64 = 0
    /// The questions to the kernel about routes.
    public var lookups: UInt64 = 0
    /// How often the path was derived.
    public var evaluations: UInt64 = 0
    public var updates: UInt64 = 0
    /// Messages that could not be parsed, and were repaired by reading anew.
    public var malformedMessages: UInt64 = 0
    /// Messages cut off because they were larger than the read buffer, and were repaired by reading anew.
    public var truncatedMessages: UInt64 = 0
    /// Messages that did not come from the kernel, and were thrown away.
    public var foreignMessages: UInt64 = 0
    /// Requests to the kernel that failed.
    public var failures: UInt64 = 0

    public init() {}
}

/// How many messages of each kind the kernel has sent.
public struct MessageCounts: Hashable, Sendable, Codable {
    public var link: UInt64 = 0
    public var address: UInt64 = 0
    public var route: UInt64 = 0
    public var rule: UInt64 = 0
    public var nexthop: UInt64 = 0
    public var netconf: UInt64 = 0
    public var userOption: UInt64 = 0

    public var total: UInt64 { link + address + route + rule + nexthop + netconf + userOption }

    public init() {}

    mutating func add(_ more: MessageCounts) {
        link += more.link
        address += more.address
        route += more.route
        rule += more.rule
        nexthop += more.nexthop
        netconf += more.netconf
        userOption += more.userOption
    }

    mutating func count(_ notification: NetlinkNotification) {
        switch notification {
        case .link: link += 1
        case .address: address += 1
        case .route: route += 1
        case .rule: rule += 1
        case .nexthop: nexthop += 1
        case .netconf: netconf += 1
        case .userOption: userOption += 1
        }
    }
}
