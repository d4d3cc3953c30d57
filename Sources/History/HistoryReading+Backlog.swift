extension HistoryReading {
    /// An event that is to be delivered.
    package struct BacklogEvent: Sendable {
        package var place: Place
        /// Whether it tells all, so that nothing before it has to be known.
        package var isSnapshot: Bool
        /// Its line of JSON, with the line feed.
        package var line: [UInt8]
    }

    /// What is to be delivered after a place.
    package struct Backlog: Sendable {
        /// Up to where events are left out because they are too many; nil where none are.
        package var leftOut: Place?
        package var events: [BacklogEvent]
    }

    /// The events between two places, for one that delivers them.
    ///
    /// - Parameters:
    ///   - limit: So many are given at one time.
    ///   - most: So many are delivered in all; of more the oldest are left out.
    package func backlog(after first: Place, upTo last: Place, limit: Int, most: Int) throws -> Backlog {
        let leftOut = try place(before: last, by: most).flatMap { $0 > first ? $0 : nil }
        let statement = try database.prepare(
            """
            SELECT run, seq, snapshot, line FROM event WHERE (run, seq) > (?, ?) AND (run, seq) <= (?, ?)
            ORDER BY run, seq LIMIT \(limit)
            """)
        let start = leftOut ?? first
        try statement.bind(Self.number(start.run), Self.number(start.seq), Self.number(last.run), Self.number(last.seq))
        var events: [BacklogEvent] = []
        while try statement.step() {
            let place = Place(run: UInt64(clamping: statement.number(0)), seq: UInt64(clamping: statement.number(1)))
            events.append(BacklogEvent(place: place, isSnapshot: statement.number(2) == 1, line: statement.bytes(3)))
        }
        return Backlog(leftOut: leftOut, events: events)
    }

    /// The place of the event that has so many after it up to a place; nil where there are fewer.
    private func place(before last: Place, by count: Int) throws -> Place? {
        let statement = try database.prepare(
            """
            SELECT run, seq FROM event WHERE (run, seq) <= (?, ?)
            ORDER BY run DESC, seq DESC LIMIT 1 OFFSET \(count)
            """)
        try statement.bind(Self.number(last.run), Self.number(last.seq))
        guard try statement.step() else { return nil }
        return Place(run: UInt64(clamping: statement.number(0)), seq: UInt64(clamping: statement.number(1)))
    }

    private static func number(_ number: UInt64) -> Value { .number(Int64(clamping: number)) }
}
