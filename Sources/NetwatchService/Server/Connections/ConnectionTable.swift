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
    private var tide = ConnectionTide()
    private let limit: Int

    /// One that was quiet for less may have come just now, and its request be on the way.
    private static let grace = TimeAmount.seconds(1)

    init(limit: Int) {
        self.limit = limit
    }

    /// Takes a connection in; returns the one that has to go for it.
    mutating func add(_ connection: ConnectionGuard) -> ConnectionGuard? {
        let victim = open.values.count { !$0.isReader } >= limit ? leastMissed : nil
        if let victim { remove(victim) }
        open[ObjectIdentifier(connection)] = connection
        tide.rises(to: open.count)
        tell()
        return victim
    }

    /// Takes a connection out that has gone, or has to go.
    mutating func remove(_ connection: ConnectionGuard) {
        guard open.removeValue(forKey: ObjectIdentifier(connection)) != nil else { return }
        tell()
    }

    /// Whether many connections have gone, so that there is memory to give back.
    mutating func isEbb() -> Bool { tide.falls(to: open.count) }

    /// One whose peer has gone; else the one that has been quiet for the longest of those that have asked for nothing, or of those
    /// that do not read. One whose answer is being made goes last.
    ///
    /// A crowd that comes by TCP drives no client off the Unix socket, and the other way round: each has half.
    private var leastMissed: ConnectionGuard? {
        let candidates = open.values.filter { !$0.isReader }
        let (local, remote) = (candidates.filter(\.isOverUnixSocket), candidates.filter { !$0.isOverUnixSocket })
        return longestIdle(of: local.count * 2 > limit || remote.isEmpty ? local : remote)
    }

    private func longestIdle(of candidates: [ConnectionGuard]) -> ConnectionGuard? {
        let quiet = NIODeadline.now() - Self.grace
        func rank(_ connection: ConnectionGuard) -> Int {
            if connection.isOver { return 0 }
            if !connection.isAnswering, connection.lastProgress < quiet { return 1 }
            return connection.isBeingServed ? 3 : 2
        }
        return candidates.map { (rank($0), $0) }.min { left, right in
            left.0 == right.0 ? left.1.lastProgress < right.1.lastProgress : left.0 < right.0
        }?.1
    }

    private func tell() {
        Gauge("netwatch_http_connections").record(open.count)
    }

    static func count(_ reason: Reason) {
        Counter("netwatch_http_connections_dropped_total", [.init("reason", reason.rawValue)]).increment()
    }
}
