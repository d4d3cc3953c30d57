/// A stretch as the file has it.
struct StoredStretch: Hashable, Sendable {
    var id: Int64
    var run: Int64
    var stretch: Stretch
}

/// That a status was taken, as the file has it.
struct StatusRow: Hashable, Sendable {
    var run: Int64
    /// The stretch in which that was.
    var stretch: Int64
    /// In milliseconds since 1970-01-01 UTC.
    var time: Int64
    var status: PastStatus
}

extension Timeline {
    /// - Parameters:
    ///   - stretches: All that are known, in their order.
    ///   - rows: The changes of one thing's status, in their order.
    init(since: Int64, until: Int64, stretches: [StoredStretch], rows: [StatusRow]) {
        self.init(since: since, until: until)
        var rest = rows[...]
        var (run, status) = (Int64.min, PastStatus.unknown)
        for stored in stretches {
            if stored.run != run {
                // What one run knew, the next one does not.
                (run, status) = (stored.run, .unknown)
                rest = rest.drop { $0.run < run }
            }
            while let row = rest.first, row.run == run, row.stretch < stored.id {
                status = row.status
                rest = rest.dropFirst()
            }
            var time = stored.stretch.since
            while let row = rest.first, row.run == run, row.stretch == stored.id {
                let change = min(max(row.time, time), stored.stretch.until)
                paint(since: time, until: change, status)
                (time, status) = (change, row.status)
                rest = rest.dropFirst()
            }
            paint(
                since: time, until: stored.stretch.until, stored.stretch.kind == .suspended ? .suspended : status)
        }
    }
}
