extension HistoryReading {
    /// An event's place: which run of the program it is of, and its number there, `1795350463-42`.
    package struct Place: Hashable, Sendable, Comparable, CustomStringConvertible {
        /// When the run began, in seconds since 1970, or a little more: no two have the same.
        package var run: UInt64
        package var seq: UInt64

        package init(run: UInt64, seq: UInt64) {
            (self.run, self.seq) = (run, seq)
        }

        package static func < (left: Place, right: Place) -> Bool { (left.run, left.seq) < (right.run, right.seq) }

        package var description: String { "\(run)-\(seq)" }

        var values: (Value, Value) { (.number(Int64(clamping: run)), .number(Int64(clamping: seq))) }
    }

    package struct StoredEvent: Sendable {
        package var place: Place
        /// Its line of JSON, with the line feed.
        package var line: [UInt8]
        /// Whether it tells all.
        package var isSnapshot: Bool
    }

    /// So many events of an earlier run a reader may know that were not written before that run was killed.
    private static let mostAhead: UInt64 = 1000

    /// Whether every event between two places is here: numbers without a gap in each run, and each later run from its first,
    /// which tells all.
    package func isWhole(after first: Place, upTo last: Place, most: Int) throws -> Bool {
        let known = try database.number("SELECT count(*) FROM run WHERE epoch = \(Int64(clamping: first.run))") ?? 0
        let end = try database.number("SELECT max(seq) FROM event WHERE run = \(Int64(clamping: first.run))")
        guard known == 1, first < last, let end = end.map(UInt64.init(clamping:)), first.seq <= end + Self.mostAhead
        else { return false }
        let statement = try select("snapshot", after: first, upTo: last, limit: most + 1)
        var (place, count) = (first, 0)
        while try statement.step() {
            count += 1
            let next = Self.place(statement)
            let follows = next.run == place.run ? next.seq == place.seq + 1 : statement.number(2) == 1
            guard follows else { return false }
            place = next
        }
        return place == last && count <= most
    }

    /// Events between two places, at most so many, and not many more bytes than so many.
    package func events(
        after first: Place, upTo last: Place, limit: Int, bytes: Int = .max
    ) throws -> [StoredEvent] {
        let statement = try select("line, snapshot", after: first, upTo: last, limit: limit)
        var (events, size): ([StoredEvent], Int) = ([], 0)
        while size < bytes, try statement.step() {
            let event = StoredEvent(
                place: Self.place(statement), line: statement.bytes(2), isSnapshot: statement.number(3) == 1)
            size += event.line.count
            events.append(event)
        }
        return events
    }

    /// How many events there are between two places.
    package func count(after first: Place, upTo last: Place) throws -> Int {
        let statement = try database.prepare(
            "SELECT count(*) FROM event WHERE (run, seq) > (?, ?) AND (run, seq) <= (?, ?)")
        try statement.bind(first.values.0, first.values.1, last.values.0, last.values.1)
        return try statement.step() ? Int(statement.number(0)) : 0
    }

    /// The last event that was removed to keep age and size; none is 0-0.
    package func forgotten() throws -> Place {
        let statement = try database.prepare("SELECT run, seq FROM mark WHERE name = X''")
        return try statement.step() ? Self.place(statement) : Place(run: 0, seq: 0)
    }

    private func select(
        _ column: String, after first: Place, upTo last: Place, limit: Int = .max
    ) throws(DatabaseError) -> Statement {
        let statement = try database.prepare(
            """
            SELECT run, seq, \(column) FROM event WHERE (run, seq) > (?, ?) AND (run, seq) <= (?, ?)
            ORDER BY run, seq LIMIT ?
            """)
        try statement.bind(
            first.values.0, first.values.1, last.values.0, last.values.1, .number(Int64(clamping: limit)))
        return statement
    }

    /// The place that the first two columns of a row hold.
    static func place(_ statement: Statement) -> Place {
        Place(run: UInt64(clamping: statement.number(0)), seq: UInt64(clamping: statement.number(1)))
    }
}
