/// What can be asked of a history's file, on the caller's thread.
package struct HistoryReading {
    let database: Database

    /// - Throws: ``HistoryError`` where there is no such file, or it is not a history.
    package init(_ path: String) throws(HistoryError) {
        do throws(DatabaseError) { database = try HistorySchema.openToRead(path) } catch { throw .database(error) }
    }

    /// What a target was, and the connectivity as a whole.
    package struct Past: Sendable {
        /// Nil for the connectivity as a whole.
        package var target: String?
        package var timeline: Timeline
        package var probes: ProbeSum
    }

    /// All that was watched in a time, by name, and first the connectivity as a whole.
    ///
    /// - Parameters:
    ///   - since: In milliseconds since 1970-01-01 UTC, as is `until`.
    ///   - target: The only one that is asked for; nil for all.
    /// - Returns: Nothing where a target is asked for of which nothing is known.
    package func past(since: Int64, until: Int64, target: String? = nil) throws -> [Past] {
        let names = try names(target)
        let stretches = try stretches()
        let runs = Set(stretches.filter { $0.stretch.until > since && $0.stretch.since < until }.map(\.run))
        let sums = try sums(since: since, until: until, only: target == nil ? nil : names.keys.first)
        var all: [Past] = []
        for id in (target == nil ? [HistoryTables.whole] : []) + names.keys {
            let rows = try statuses(of: id)
            let timeline = Timeline(since: since, until: until, stretches: stretches, rows: rows)
            // A target of last year is none of this week.
            let isWatched = rows.contains { runs.contains($0.run) }
            guard isWatched || sums[id] != nil || id == HistoryTables.whole || target != nil else { continue }
            all.append(Past(target: names[id], timeline: timeline, probes: sums[id] ?? ProbeSum()))
        }
        return all.sorted { ($0.target.map { "\u{1}" + $0 } ?? "") < ($1.target.map { "\u{1}" + $0 } ?? "") }
    }

    /// The probes of a target in parts of a time, by the part's beginning in milliseconds since 1970-01-01 UTC.
    package func probes(
        of target: String, since: Int64, until: Int64, every step: Int64
    ) throws -> [(time: Int64, sum: ProbeSum)] {
        guard let id = try names(target).keys.first else { return [] }
        let minutes = max(step / 60_000, 1)
        let statement = try database.prepare(
            """
            SELECT minute / \(minutes) * \(minutes), \(Self.sumColumns) FROM minute
            WHERE minute >= ? AND minute < ? AND target = ? GROUP BY 1 ORDER BY 1
            """)
        try statement.bind(.number(since / 60_000), .number((until + 59_999) / 60_000), .number(id))
        var all: [(Int64, ProbeSum)] = []
        while try statement.step() { all.append((statement.number(0) * 60_000, Self.sum(statement))) }
        return all
    }

    /// The latest changes, the latest first, as their lines of JSON.
    package func transitions(_ count: Int) throws -> [[UInt8]] {
        let statement = try database.prepare("SELECT line FROM event WHERE told = 1 ORDER BY id DESC LIMIT ?")
        try statement.bind(.number(Int64(count)))
        var lines: [[UInt8]] = []
        while try statement.step() { lines.append(statement.bytes(0)) }
        return lines
    }

    // MARK: Parts

    private func names(_ target: String?) throws(DatabaseError) -> [Int64: String] {
        let statement = try database.prepare("SELECT id, name FROM target" + (target == nil ? "" : " WHERE name = ?"))
        if let target { try statement.bind(.text(target)) }
        var names: [Int64: String] = [:]
        while try statement.step() { names[statement.number(0)] = statement.text(1) }
        return names
    }

    private func stretches() throws(DatabaseError) -> [StoredStretch] {
        let statement = try database.prepare("SELECT id, run, since, until, kind FROM stretch ORDER BY id")
        var stretches: [StoredStretch] = []
        while try statement.step() {
            let kind = Stretch.Kind(rawValue: statement.number(4)) ?? .watched
            let stretch = Stretch(kind: kind, since: statement.number(2), until: statement.number(3))
            stretches.append(StoredStretch(id: statement.number(0), run: statement.number(1), stretch: stretch))
        }
        return stretches
    }

    private func statuses(of target: Int64) throws(DatabaseError) -> [StatusRow] {
        let statement = try database.prepare(
            "SELECT run, stretch, time, status FROM status WHERE target = ? ORDER BY id")
        try statement.bind(.number(target))
        var rows: [StatusRow] = []
        while try statement.step() {
            rows.append(
                StatusRow(
                    run: statement.number(0), stretch: statement.number(1), time: statement.number(2),
                    status: PastStatus(rawValue: statement.number(3)) ?? .unknown))
        }
        return rows
    }

    private func sums(since: Int64, until: Int64, only target: Int64?) throws(DatabaseError) -> [Int64: ProbeSum] {
        let statement = try database.prepare(
            """
            SELECT target, \(Self.sumColumns) FROM minute WHERE minute >= ? AND minute < ?
            \(target.map { "AND target = \($0)" } ?? "") GROUP BY target
            """)
        try statement.bind(.number(since / 60_000), .number((until + 59_999) / 60_000))
        var sums: [Int64: ProbeSum] = [:]
        while try statement.step() { sums[statement.number(0)] = Self.sum(statement) }
        return sums
    }

    private static let sumColumns = """
        sum(probes), sum(failures), sum(duration), max(longest), sum(resolve), sum(connect), sum(tls), sum(processing),
        sum(transfer)
        """

    private static func sum(_ statement: Statement) -> ProbeSum {
        var sum = ProbeSum()
        (sum.probes, sum.failures) = (statement.number(1), statement.number(2))
        (sum.duration, sum.longest) = (statement.number(3), statement.number(4))
        (sum.phases.resolve, sum.phases.connect) = (statement.number(5), statement.number(6))
        (sum.phases.tls, sum.phases.processing) = (statement.number(7), statement.number(8))
        sum.phases.transfer = statement.number(9)
        return sum
    }
}
