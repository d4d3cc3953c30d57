import Metrics
import NIOCore

/// The connections that are open. It lives on the server's event loop.
struct ConnectionTable {
    /// Why a connection was ended by the server.
    enum Reason: String, Sendable {
        /// Nothing was asked for too long.
        case idle
        /// A request took too long to come.
        case slow
        /// An answer was not read.
        case stalled
        /// There were too many connections.
        case limit
    }

    private var open: [ObjectIdentifier: ConnectionGuard] = [:]
    private let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a connection in; returns the one that has to go for it.
    mutating func add(_ connection: ConnectionGuard) -> ConnectionGuard? {
        let victim = open.values.count { !$0.isStreaming } >= limit ? longestIdle : nil
        if let victim { remove(victim) }
        open[ObjectIdentifier(connection)] = connection
        tell()
        return victim
    }

    mutating func remove(_ connection: ConnectionGuard) {
        guard open.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        tell()
    }

    /// One that has asked for nothing, or else the one that has read nothing for the longest.
    private var longestIdle: ConnectionGuard? {
        open.values.filter { !$0.isStreaming }.min { left, right in
            left.isAnswering == right.isAnswering ? left.lastProgress < right.lastProgress : !left.isAnswering
        }
    }

    private func tell() {
        Gauge(label: "netwatch_http_connections").record(open.count)
    }

    static func count(_ reason: Reason) {
        Counter(label: "netwatch_http_connections_dropped_total", dimensions: [("reason", reason.rawValue)]).increment()
    }
}
