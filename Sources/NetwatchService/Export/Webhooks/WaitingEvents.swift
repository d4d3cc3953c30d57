import History

/// How many events a webhook is still to be told of, in memory and in the history. A value without a thread.
struct WaitingEvents: Sendable {
    let run: UInt64
    /// Up to where everything was told.
    var delivered: EventCursor
    /// The number of the last event of this run.
    var last: UInt64 = 0
    /// How many events of earlier runs follow what was told, when that was looked for last.
    var earlier = 0

    init(run: UInt64, delivered: EventCursor) {
        (self.run, self.delivered) = (run, delivered)
    }

    var count: Int {
        delivered.run == run ? Int(clamping: last - min(delivered.seq, last)) : Int(clamping: last) + earlier
    }
}
