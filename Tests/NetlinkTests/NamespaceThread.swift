import EventLoop
import Glibc
import Netlink
import TestSupport
import Testing

extension TestNamespace {
    /// Runs a block on a thread that lives in this namespace: sockets made there belong to it.
    func inside<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) async throws -> Result {
        try await NamespaceThread(loop: EventLoop(networkNamespace: descriptor)).run(body)
    }
}

extension TestNamespace {
    /// Waits until links that were just made have told their last news (a bridge port takes a moment to forward).
    func waitUntilSettled() throws {
        var socket = try NotificationSocket()
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        while socket.waitUntilReadable(milliseconds: 200), MonotonicTime.now < deadline { _ = socket.drainAll() }
    }
}

private actor NamespaceThread {
    private let loop: EventLoop

    init(loop: EventLoop) {
        self.loop = loop
    }

    nonisolated var unownedExecutor: UnownedSerialExecutor { loop.asUnownedSerialExecutor() }

    func run<Result: Sendable>(_ body: @Sendable () throws -> Result) throws -> Result {
        try body()
    }
}

extension NotificationSocket {
    /// Everything that arrives up to the message that is waited for, at most for ten seconds.
    mutating func collect(
        until isLast: (NetlinkNotification) -> Bool, sourceLocation: SourceLocation = #_sourceLocation
    ) throws -> [NetlinkNotification] {
        var all: [NetlinkNotification] = []
        let deadline = MonotonicTime.now.advanced(by: .seconds(10))
        while MonotonicTime.now < deadline {
            guard waitUntilReadable(milliseconds: 1000) else { continue }
            var found = false
            let report = drain { notification in
                all.append(notification)
                found = found || isLast(notification)
            }
            #expect(report.malformed == [], sourceLocation: sourceLocation)
            if found { return all }
        }
        Issue.record("the message did not come; \(all.count) others did", sourceLocation: sourceLocation)
        return all
    }

    /// Everything that has arrived.
    mutating func drainAll() -> (notifications: [NetlinkNotification], report: DrainReport) {
        var all: [NetlinkNotification] = []
        let report = drain { all.append($0) }
        return (all, report)
    }

    func waitUntilReadable(milliseconds: CInt) -> Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return poll(&request, 1, milliseconds) > 0
    }
}
