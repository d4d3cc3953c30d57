/// The id of an event in a stream: which run of the program it is of, and its number there, `1795350463-42`.
package struct EventCursor: Hashable, Sendable, Comparable, CustomStringConvertible {
    /// When the run began, in seconds since 1970, or a little more: no two have the same.
    package let run: UInt64
    package let seq: UInt64

    package init(run: UInt64, seq: UInt64) {
        (self.run, self.seq) = (run, seq)
    }

    init?(_ text: String) {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let run = UInt64(parts[0]), let seq = UInt64(parts[1]) else { return nil }
        self.init(run: run, seq: seq)
    }

    /// How many events come after it up to another, as far as that is known: how many more an earlier run had is not.
    func count(upTo last: EventCursor) -> Int {
        let count = run == last.run ? last.seq - min(seq, last.seq) : last.seq
        return max(1, Int(clamping: count))
    }

    package static func < (lhs: EventCursor, rhs: EventCursor) -> Bool {
        (lhs.run, lhs.seq) < (rhs.run, rhs.seq)
    }

    package var description: String { "\(run)-\(seq)" }
}
