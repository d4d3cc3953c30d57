/// How many of the targets must be well.
public enum ConnectivityPolicy: Hashable, Sendable, Codable {
    case all
    case any
    /// At least this many, 1 or more; all where there are fewer that have an address of the family.
    case quorum(Int)
    /// Targets whose weights come to at least this much, 1 or more; all likewise.
    case weight(Int)
}
