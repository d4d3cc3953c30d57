import CLinux
import NIOCore

/// Tells when many connections have gone, so that what they used can be given back.
///
/// The C library keeps freed memory that lies below some that is in use: 40 MB after a thousand readers of the events.
struct ConnectionTide {
    /// Fewer are not worth the while.
    private static let least = 32

    private var most = 0

    mutating func rises(to open: Int) {
        most = max(most, open)
    }

    /// - Parameter open: How many are open now.
    /// - Returns: Whether many were and few are.
    mutating func falls(to open: Int) -> Bool {
        guard most >= Self.least, open <= most / 4 else { return false }
        most = open
        return true
    }

    /// Gives memory back: soon, and again when what was still to be answered to them has come to its end, too.
    static func giveBack(on loop: any EventLoop) {
        for delay in [TimeAmount.seconds(1), .seconds(4), .seconds(15)] {
            loop.assumeIsolated().scheduleTask(in: delay) { _ = malloc_trim(0) }
        }
    }
}
