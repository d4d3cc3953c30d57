/// Keeps the file within its age and its size.
struct HistoryPruning {
    let database: Database
    /// How old what it tells may be, in milliseconds.
    let age: Int64
    /// How large it may be, in bytes.
    let size: Int64

    private static let mostRounds = 30
    /// Sums of so many minutes stay as long as there is anything else.
    private static let leastMinutes: Int64 = 120

    /// The lines of events have so much of it at most: a storm of them takes nothing from the rest.
    private var eventLimit: Int64 { size / 2 }
    /// Pages that are free are used again before there are more.
    private var fillLimit: Int64 { size / 10 * 8 }

    /// - Returns: How large it is then, without what is free in it.
    @discardableResult
    func prune(at clock: Int64) throws(DatabaseError) -> Int64 {
        let (now, isProven) = try today(clock)
        if isProven { try remove(after: clock + Self.day) }
        let oldestKept = now - age
        try remove(before: oldestKept)
        try pruneEvents()
        // Its size is kept in any case: what a clock tells that is not believed yet goes, too, where the rest is not enough.
        for end in [now, clock] { try makeRoom(from: oldestKept, to: end) }
        try database.run("PRAGMA incremental_vacuum(256)")
        return try used
    }

    private func makeRoom(from oldestKept: Int64, to end: Int64) throws(DatabaseError) {
        var cut = Int64.min
        for _ in 0..<Self.mostRounds where try used > fillLimit {
            // With many targets the sums are the most by far, and the least of a loss.
            if try removeSums(at: end) { continue }
            guard let oldest = try database.number("SELECT min(since) FROM stretch") else { break }
            // A stretch may last as long as its run: it stays, and what was told in it goes.
            let begin = max(oldest, cut, oldestKept)
            guard begin < end else { break }
            cut = min(begin + max((end - begin) / 10, 60_000), end)
            try remove(before: cut)
        }
    }

    /// The time by which all of it counts. A clock that was set forward is not believed before it has gone on for a
    /// day: a host that starts with a wrong one would lose all that it knows.
    ///
    /// - Returns: With it whether the clock has gone on for a day: what lies ahead of it was told by a wrong one then.
    private func today(_ clock: Int64) throws(DatabaseError) -> (now: Int64, isProven: Bool) {
        let statement = try database.prepare("SELECT since, until FROM stretch ORDER BY id DESC LIMIT 1000")
        var (lasted, begin): (Int64, Int64?) = (0, nil)
        // A clock that was never set shows the year 1970, and may go on so while no network is there to set it.
        var isProven = clock > Self.leastTime
        while lasted < Self.day, try statement.step() {
            let (since, until) = (statement.number(0), statement.number(1))
            if let begin, begin - until > Self.day { return (min(clock, until + lasted), false) }
            if until - clock > Self.day { isProven = false }
            lasted += max(until - since, 0)
            begin = since
        }
        return (clock, isProven && lasted >= Self.day)
    }

    private static let day: Int64 = 86_400_000
    /// The beginning of 2025, in milliseconds since 1970-01-01 UTC: no clock that is right shows less.
    private static let leastTime: Int64 = 1_735_689_600_000

    /// Removes the oldest tenth of the probes' sums.
    ///
    /// - Returns: Whether there was more than what is left in any case.
    private func removeSums(at now: Int64) throws(DatabaseError) -> Bool {
        let kept = now / 60_000 - Self.leastMinutes
        guard let oldest = try database.number("SELECT min(minute) FROM minute"), oldest < kept else { return false }
        try database.run("DELETE FROM minute WHERE minute <= \(oldest + max((kept - oldest) / 10, 1))")
        return true
    }

    /// Removes the oldest events where their lines are too much.
    func pruneEvents() throws(DatabaseError) {
        var total = try eventBytes
        while total > eventLimit, let first = try database.number("SELECT min(id) FROM event"),
            let last = try database.number("SELECT max(id) FROM event")
        {
            try database.transaction { () throws(DatabaseError) in
                try removeEvents("id <= \(first + (last - first) / 8)")
            }
            total = try eventBytes
        }
    }

    /// How long the lines of events are together, which is known without reading them.
    var eventBytes: Int64 {
        get throws(DatabaseError) { try database.number("SELECT sum(length(line)) FROM event") ?? 0 }
    }

    private var used: Int64 {
        get throws(DatabaseError) {
            let pages = try database.number("PRAGMA page_count") ?? 0
            let free = try database.number("PRAGMA freelist_count") ?? 0
            return (pages - free) * (try database.number("PRAGMA page_size") ?? 0)
        }
    }

    /// Notes which was the last of them: a reader that had not come so far has missed something.
    private func removeEvents(_ condition: String) throws(DatabaseError) {
        try database.run(
            """
            INSERT INTO mark SELECT X'', run, seq FROM event
                WHERE id = (SELECT max(id) FROM event WHERE \(condition))
                ON CONFLICT(name) DO UPDATE SET run = excluded.run, seq = excluded.seq
                WHERE (excluded.run, excluded.seq) > (mark.run, mark.seq);
            DELETE FROM event WHERE \(condition);
            """)
    }

    /// What a clock told that ran ahead: it would stay until that time has come.
    private func remove(after time: Int64) throws(DatabaseError) {
        // Mostly there is nothing, which these tell without reading all that is there.
        let stretch = "since > \(time) AND id < (SELECT max(id) FROM stretch)"
        let isStretched = try database.number("SELECT 1 FROM stretch WHERE \(stretch) LIMIT 1") != nil
        let last = try database.number("SELECT max(minute) FROM minute") ?? .min
        guard isStretched || last > time / 60_000 else { return }
        try database.transaction { () throws(DatabaseError) in
            try removeEvents("time > \(time)")
            // What a status was last in each of these stretches stays while there is anything else of its run: the
            // clock may have been set back within it, and then that is what held afterwards.
            try database.run(
                """
                DELETE FROM minute WHERE minute > \(time / 60_000);
                DELETE FROM stretch WHERE \(stretch);
                DELETE FROM status WHERE time > \(time)
                    AND (run NOT IN (SELECT run FROM stretch)
                    OR id NOT IN (SELECT max(id) FROM status WHERE time > \(time) GROUP BY stretch, target));
                """)
        }
    }

    /// What a status was last before stays: it is what holds afterwards.
    private func remove(before time: Int64) throws(DatabaseError) {
        try database.transaction { () throws(DatabaseError) in
            try removeEvents("time < \(time)")
            try database.run(
                """
                DELETE FROM minute WHERE minute < \(time / 60_000);
                DELETE FROM stretch WHERE until < \(time) AND id < (SELECT max(id) FROM stretch);
                DELETE FROM status WHERE time < \(time)
                    AND (run NOT IN (SELECT run FROM stretch)
                    OR id NOT IN (SELECT max(id) FROM status WHERE time < \(time) GROUP BY run, target));
                DELETE FROM target WHERE id NOT IN (SELECT target FROM status) AND id NOT IN (SELECT target FROM minute);
                DELETE FROM run WHERE epoch NOT IN (SELECT run FROM event) AND epoch NOT IN (SELECT run FROM stretch)
                    AND epoch < (SELECT max(epoch) FROM run);
                """)
        }
    }
}
