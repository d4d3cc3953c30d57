extension HistoryReading {
    /// What is to be delivered after a place.
    package struct Backlog: Sendable {
        /// Up to where events are left out because they are too many; nil where none are.
        package var leftOut: Place?
        package var events: [StoredEvent]
    }

    /// The events between two places, for one that delivers them.
    ///
    /// - Parameters:
    ///   - limit: So many are given at one time.
    ///   - most: So many are delivered in all; of more the oldest are left out.
    package func backlog(after first: Place, upTo last: Place, limit: Int, most: Int) throws -> Backlog {
        let leftOut = try place(before: last, by: most).flatMap { $0 > first ? $0 : nil }
        return Backlog(leftOut: leftOut, events: try events(after: leftOut ?? first, upTo: last, limit: limit))
    }

    /// The place of the event that has so many after it up to a place; nil where there are fewer.
    private func place(before last: Place, by count: Int) throws -> Place? {
        let statement = try database.prepare(
            """
            SELECT run, seq FROM event WHERE (run, seq) <= (?, ?)
            ORDER BY run DESC, seq DESC LIMIT 1 OFFSET \(count)
            """)
        try statement.bind(last.values.0, last.values.1)
        return try statement.step() ? Self.place(statement) : nil
    }
}
