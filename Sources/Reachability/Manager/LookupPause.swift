/// How long to wait from one look-up of a name to the next while no name server can be asked.
struct LookupPause: Hashable, Sendable {
    private static let first = Duration.milliseconds(500)
    private static let longest = Duration.seconds(60)

    private var following = Self.first

    /// The pause that is due; the one after it is twice as long, up to a minute.
    mutating func next() -> Duration {
        defer { following = min(following * 2, Self.longest) }
        return following
    }
}
