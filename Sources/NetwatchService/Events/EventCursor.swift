package import History

/// The id of an event in a stream, as the history has it.
package typealias EventCursor = HistoryReading.Place

extension EventCursor {
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
}
