import EventLoop
import Glibc

/// Tells systemd how the service does (sd_notify(3)): datagrams of `NAME=VALUE` lines to the socket that it names.
package struct ServiceManager: Sendable {
    private let path: String
    /// How often it wants a sign of life; nil for never.
    let watchdogInterval: Duration?

    /// The manager that started this process; nil where none wants to be told.
    package static var current: ServiceManager? {
        ServiceManager(environment: Environment.values("NOTIFY_SOCKET", "WATCHDOG_USEC", "WATCHDOG_PID"))
    }

    init?(environment: [String: String]) {
        // An abstract name begins with "@"; nothing else than it and an absolute path is a name.
        guard let path = environment["NOTIFY_SOCKET"], path.hasPrefix("/") || path.hasPrefix("@"), path.utf8.count > 1
        else { return nil }
        self.path = path
        let isOurs = environment["WATCHDOG_PID"].map { Int32($0) == getpid() } ?? true
        let microseconds = environment["WATCHDOG_USEC"].flatMap { Int64($0) } ?? 0
        watchdogInterval = isOurs && microseconds > 0 ? .microseconds(microseconds) : nil
    }

    /// The service does what it is there for. A manager that is behind is told again once a second until it has taken it: it
    /// would end a service that never says so.
    func ready(_ status: String, on loop: EventLoop) {
        if send("READY=1\n" + Self.status(status)) == .full { repeatReady(on: loop) }
    }

    private func repeatReady(on loop: EventLoop) {
        loop.schedule(after: .seconds(1)) {
            // The state may have changed, and been told, meanwhile.
            if send("READY=1") == .full { repeatReady(on: loop) }
        }
    }

    /// What `systemctl status` shows.
    func tell(_ status: String) { send(Self.status(status)) }

    func stopping() { send("STOPPING=1\n" + Self.status("stopping")) }

    func keepAlive() { send("WATCHDOG=1") }

    /// The configuration is being read anew; ``ready(_:on:)`` ends that.
    func reloading() {
        send("RELOADING=1\nMONOTONIC_USEC=\(MonotonicTime.now.nanoseconds / 1000)")
    }

    private static func status(_ text: String) -> String {
        "STATUS=\(text.prefix(500).filter { !$0.isNewline })"
    }

    /// A failure has no reader left, and nothing waits for a manager that does not read.
    @discardableResult
    private func send(_ message: String) -> UnixDatagram.Fate { UnixDatagram.send(Array(message.utf8), to: path) }
}
