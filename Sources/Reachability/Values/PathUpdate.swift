package import EventLoop
public import FoundationEssentials

/// A change of the path, as ``PathMonitor`` publishes it.
public struct PathUpdate: Hashable, Sendable, Codable {
    /// The path before; ``Path/unknown`` in the first update.
    public var previous: Path
    public var path: Path
    public var cause: Cause
    /// Whether lost messages were repaired by reading the state anew.
    public var isResync: Bool = false
    /// How many updates the reader missed just before this one, because it was slower than they came.
    public var skipped: UInt64 = 0
    package var readMonotonic: MonotonicTime

    /// When the message that caused it was read.
    public var time: Date { Date(readMonotonic) }

    /// The names by which recordings have them.
    private enum CodingKeys: String, CodingKey {
        case previous, path, cause, isResync, skipped
        case readMonotonic = "time"
    }

    package init(previous: Path, path: Path, cause: Cause, isResync: Bool = false, time: MonotonicTime) {
        self.previous = previous
        self.path = path
        self.cause = cause
        self.isResync = isResync
        readMonotonic = time
    }

    /// Whether the status or the interfaces in use have changed; otherwise only details have.
    public var isTransition: Bool {
        previous.status != path.status || previous.interfacesInUse != path.interfacesInUse
    }
}
