#if Service
/// The id of an event in a stream: which run of the program it is of, and its number there, `1795350463-42`.
struct EventCursor: Hashable, Sendable, CustomStringConvertible {
    /// When this run began, in seconds since 1970: numbers begin anew with each.
    static let run = UInt64(clamping: WallClock.seconds)

    let run: UInt64
    let seq: UInt64

    init(_ seq: UInt64) {
        (run, self.seq) = (Self.run, seq)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let run = UInt64(parts[0]), let seq = UInt64(parts[1]) else { return nil }
        (self.run, self.seq) = (run, seq)
    }

    var description: String { "\(run)-\(seq)" }
}
#endif
