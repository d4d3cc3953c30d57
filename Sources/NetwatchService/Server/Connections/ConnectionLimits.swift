import Glibc
import NIOCore
import Synchronization

/// How many connections the HTTP server keeps, and how long each of them may take.
package struct ConnectionLimits: Hashable, Sendable {
    /// How many connections may be open at one time. One more ends the one that has been idle for the longest.
    package var connections: Int
    /// How many connections may follow the events beside them.
    package var readers = 64
    /// How long a connection may stay open with nothing asked.
    package var idle: Duration = .seconds(75)
    /// How long a request may take from its first byte to its last.
    package var request: Duration = .seconds(10)
    /// How long an answer may wait for its reader to take more of it.
    package var stall: Duration = .seconds(30)

    /// Descriptors that are left to netlink, probes and files.
    private static let reserved = 64
    /// What a program of this kind has open when it has just started: standard streams, event loops, netlink, the listener,
    /// and what is kept back for the end.
    private static let ownUse = 28 + DescriptorReserve.size
    private static let fewest = 4

    package init(connections: Int) {
        self.connections = connections
    }

    /// As many as asked for, or as leave ``reserved`` descriptors to the rest of the program.
    ///
    /// - Parameter descriptors: How many descriptors this process may have open (RLIMIT_NOFILE, getrlimit(2)).
    package init(connections: Int = 256, readers: Int = 64, descriptors: Int) {
        let free = descriptors - Self.reserved - Self.ownUse
        self.init(connections: max(Self.fewest, min(connections, free)))
        // What is left, for readers stay; those of the Unix socket are an eighth more.
        self.readers = max(1, min(readers, (free - self.connections) * 8 / 9))
    }
}

/// Fewer descriptors may be open than an HTTP server begins with.
package struct TooFewDescriptors: Error, Hashable, Sendable, CustomStringConvertible {
    let limit: Int
    let needed: Int

    package var description: String {
        "only \(limit) files may be open at a time, and to serve needs \(needed); "
            + "raise the limit (ulimit -n, LimitNOFILE=)"
    }
}

/// How many descriptors this process may have open.
package enum DescriptorLimit {
    /// SwiftNIO ends the process where it cannot have what it begins with: 40 with one listener, and some more.
    static let fewest = 44
    /// What the limit was before it was raised: that of a program which this one starts. Nil where it was not raised.
    private static let former = Mutex<Int?>(nil)

    static var beforeRaise: Int? { former.withLock { $0 } }

    /// The limit, raised as far as it goes.
    ///
    /// - Parameter number: How many are needed beside what every server begins with.
    static func forServing(besides number: Int = 0) throws(TooFewDescriptors) -> Int {
        let limit = raise()
        try require(number, within: limit)
        return limit
    }

    /// Checks that a service which runs may have what is needed, by the limit as it is.
    static func check(besides number: Int) throws(TooFewDescriptors) {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return }
        try require(number, within: Int(clamping: limit.rlim_cur))
    }

    private static func require(_ number: Int, within limit: Int) throws(TooFewDescriptors) {
        guard limit >= fewest + number else { throw TooFewDescriptors(limit: limit, needed: fewest + number) }
    }

    /// Raises the soft limit to the hard one, which needs no privilege, and returns what it is then.
    @discardableResult
    package static func raise() -> Int {
        var limit = rlimit()
        guard unsafe getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 else { return 1024 }
        former.withLock { $0 = $0 ?? Int(clamping: limit.rlim_cur) }
        if limit.rlim_cur < limit.rlim_max {
            var raised = limit
            raised.rlim_cur = limit.rlim_max
            if unsafe setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &raised) == 0 { limit = raised }
        }
        return Int(clamping: limit.rlim_cur)
    }
}
