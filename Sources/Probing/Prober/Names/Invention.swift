internal import EventLoop
internal import NetworkAddress

/// What name servers answered to a name that does not exist.
struct Invention {
    /// None where they said so.
    let addresses: [IPAddress]
    let time: MonotonicTime

    /// How long it holds: many targets may fail at once.
    static let lifetime = Duration.seconds(10)
}
