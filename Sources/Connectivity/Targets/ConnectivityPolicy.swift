/// How many of the targets must be well.
public enum ConnectivityPolicy: Hashable, Sendable, Codable {
    case all
    case any
    /// At least this many.
    case quorum(Int)
    /// Targets whose weights come to at least this much.
    case weight(Int)
}
