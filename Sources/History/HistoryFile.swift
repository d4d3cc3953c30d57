import Glibc

/// The file that is written: one that is no database any more is set aside, and another is begun. For one thread.
final class HistoryFile {
    private let limits: History.Limits
    private let tell: @Sendable (HistoryReport) -> Void
    /// This run's number.
    let run: Int64

    /// Nil where a file was set aside and another could not be begun.
    private var opened: HistoryTables?
    private var place: Place
    /// What was written last of each target; the connectivity as a whole has no name.
    private var statuses: [String?: PastStatus] = [:]
    /// What the transaction under way has changed of these.
    private var former: [(name: String?, status: PastStatus?)] = []
    /// How many bytes of lines were written since the last pruning.
    private var written = 0
    /// The last event of this run that was written.
    private var last: UInt64 = 0
    /// Up to where each reader has had the events, as it was when the file was opened and was told since.
    private(set) var marks: [String: HistoryReading.Place] = [:]

    /// How the clocks go, and the row of the stretch that goes on.
    private struct Place {
        var time: TimeKeeper
        var stretch: Int64
    }

    /// - Parameter number: This run's number; nil where the run has none yet.
    init(
        _ limits: History.Limits, run number: Int64? = nil, at stamp: Stamp,
        tell: @escaping @Sendable (HistoryReport) -> Void
    ) throws(HistoryError) {
        (self.limits, self.tell) = (limits, tell)
        do throws(DatabaseError) {
            do throws(DatabaseError) {
                (opened, run, place) = try Self.open(limits, run: number, at: stamp)
            } catch {
                guard error.isCorruption else { throw error }
                Self.setAside(limits.path, error, tell)
                (opened, run, place) = try Self.open(limits, run: number, at: stamp)
            }
            marks = try Self.marks(tables.database)
        } catch {
            throw .database(error)
        }
    }

    static func marks(_ database: Database) throws(DatabaseError) -> [String: HistoryReading.Place] {
        let statement = try database.prepare("SELECT name, run, seq FROM mark WHERE name <> X''")
        var marks: [String: HistoryReading.Place] = [:]
        while try statement.step() {
            marks[statement.text(0)] = .init(
                run: UInt64(clamping: statement.number(1)), seq: UInt64(clamping: statement.number(2)))
        }
        return marks
    }

    private static func open(
        _ limits: History.Limits, run: Int64?, at stamp: Stamp
    ) throws(DatabaseError) -> (HistoryTables, Int64, Place) {
        let database = try HistorySchema.open(limits.path, limit: Int64(limits.size))
        let number = if let run { run } else { try nextRun(database, at: stamp) }
        let tables = try HistoryTables(database)
        let time = TimeKeeper(at: stamp)
        var row: Int64 = 0
        try database.transaction { () throws(DatabaseError) in
            try database.run("INSERT OR IGNORE INTO run VALUES(\(number))")
            row = try tables.write(time.current, of: number)
        }
        return (tables, number, Place(time: time, stretch: row))
    }

    /// The number of a run that begins now.
    static func nextRun(_ database: Database, at stamp: Stamp) throws(DatabaseError) -> Int64 {
        let last = try database.number("SELECT max(epoch) FROM run") ?? 0
        return max(stamp.wall / 1_000_000_000, last + 1)
    }

    private static let endings = ["", "-wal", "-shm"]

    private static func setAside(_ path: String, _ error: DatabaseError, _ tell: (HistoryReport) -> Void) {
        guard unsafe access(path, F_OK) == 0 else {
            // Without the file they are nothing, and of harm to another.
            for ending in endings { unsafe unlink(path + ending) }
            return tell(.gone(error))
        }
        // One of them is kept, so that a bad disk fills nothing.
        let other = path + ".corrupt"
        for ending in endings {
            unsafe unlink(other + ending)
            unsafe rename(path + ending, other + ending)
        }
        tell(.setAside(error, to: other))
    }

    private var tables: HistoryTables {
        get throws(DatabaseError) {
            guard let opened else { throw .moved(limits.path) }
            return opened
        }
    }

    private func row(of target: String) throws(DatabaseError) -> Int64 {
        guard let row = try opened?.row(of: target) else { throw .moved(limits.path) }
        return row
    }

    /// Whether what is written goes to a file that has no name any more, or to none.
    var hasMoved: Bool { opened?.database.hasMoved ?? true }

    /// Looks whether what is in it holds together, which takes a while for a large one.
    func examine() throws(DatabaseError) {
        let statement = try tables.database.prepare("PRAGMA quick_check(1)")
        guard try statement.step(), case let word = statement.text(0), word != "ok" else { return }
        throw .corrupt(word, path: limits.path)
    }

    /// Begins another file in the place of this one.
    func replace(_ error: DatabaseError, at stamp: Stamp) throws(DatabaseError) {
        // After an attempt that has failed, what lies there is that attempt's, and nothing to be kept.
        if opened != nil { Self.setAside(limits.path, error, tell) }
        // A file that was removed gives its room back once it is closed.
        opened = nil
        do throws(DatabaseError) { (opened, _, place) = try Self.open(limits, run: run, at: stamp) } catch {
            if error.isCorruption { for ending in Self.endings { unsafe unlink(limits.path + ending) } }
            throw error
        }
        statuses = [:]
        // What the readers have had they have had, whatever became of the file; the rest of what was in it is missing.
        let removed = HistoryReading.Place(run: UInt64(clamping: run), seq: last)
        do throws(DatabaseError) {
            try change { () throws(DatabaseError) in
                for (name, place) in marks { try tables.write(name, place) }
                try tables.write(HistoryTables.removed, removed)
            }
        } catch {
            // A file without them is begun anew.
            opened = nil
            throw error
        }
    }

    /// Writes notes, sums, marks, and until when this run has lasted: all of it, or nothing.
    func write(
        _ notes: [HistoryNote], _ sums: [HistoryFeed.Key: ProbeSum], _ marks: [String: HistoryReading.Place] = [:],
        until end: Stamp?
    ) throws(DatabaseError) {
        self.marks.merge(marks) { $1 }
        try change { () throws(DatabaseError) in
            for note in notes { try take(note) }
            for (name, place) in marks { try tables.write(name, place) }
            for (key, sum) in sums { try tables.write(sum, of: row(of: key.target), in: key.minute) }
            if let end { try advance(to: end) }
            try tables.prolong(place.stretch, until: place.time.current.until)
        }
        if let note = notes.last { last = note.seq }
        written += sums.count * Self.sumSize
    }

    /// About so many bytes are the sums of a minute and a target.
    private static let sumSize = 48

    /// Says what everything was when the file was begun.
    func state(_ note: HistoryNote) throws(DatabaseError) {
        try change { () throws(DatabaseError) in try takeStatuses(note) }
    }

    /// Says anew what everything is, after what came between was lost, of which nothing is known.
    func restate(_ note: HistoryNote?, at stamp: Stamp) throws(DatabaseError) {
        try change { () throws(DatabaseError) in
            place.time = TimeKeeper(at: stamp)
            place.stretch = try tables.write(place.time.current, of: run)
            for name in statuses.keys { try set(name, .unknown, at: stamp.wall.milliseconds) }
            if let note { try takeStatuses(note) }
        }
    }

    /// Keeps age and size.
    func prune(at now: Stamp) throws(DatabaseError) {
        let pruning = HistoryPruning(
            database: try tables.database, age: Int64(limits.days) * 86_400_000, size: Int64(limits.size))
        opened?.forget()
        written = 0
        tell(.size(try pruning.prune(at: now.wall.milliseconds)))
    }

    /// Whether so much was written that the size has to be looked at.
    var isPruningDue: Bool { written > limits.size / 8 }

    /// Until when this run is known to have lasted, in milliseconds since 1970-01-01 UTC.
    var end: Int64 { place.time.current.until }

    // MARK: Parts

    /// What fails leaves no trace, neither in the file nor here.
    private func change(_ body: () throws(DatabaseError) -> Void) throws(DatabaseError) {
        let before = place
        former = []
        do throws(DatabaseError) { try tables.database.transaction(body) } catch {
            place = before
            for (name, status) in former.reversed() { statuses[name] = status }
            opened?.forget()
            throw error
        }
    }

    private func take(_ note: HistoryNote) throws(DatabaseError) {
        try advance(to: note.stamp)
        let line = note.line()
        // One that is an eighth of the whole would drive out all others; a reader that comes back is told that it is missing.
        if line.count < limits.size / 8 {
            try tables.write(note, line, of: run)
            written += line.count
        }
        try takeStatuses(note)
    }

    private func takeStatuses(_ note: HistoryNote) throws(DatabaseError) {
        let now = note.stamp.wall.milliseconds
        try set(nil, note.connectivity, at: now)
        for target in note.targets { try set(target.name, target.status, at: now) }
        guard note.isSnapshot || note.others != nil else { return }
        let named = Set(note.targets.map(\.name))
        for case let name? in statuses.keys where !named.contains(name) {
            // What a snapshot does not name is not watched any more.
            try set(name, note.others ?? .unknown, at: now)
        }
    }

    private func set(_ name: String?, _ status: PastStatus, at time: Int64) throws(DatabaseError) {
        // That a target is not known yet is told too: it is watched from then on.
        guard statuses[name] != status else { return }
        // What was kept while another service had the file came before this stretch.
        let time = max(time, place.time.current.since)
        let row = if let name { try self.row(of: name) } else { HistoryTables.whole }
        try tables.write(status, of: row, at: time, in: place.stretch, of: run)
        former.append((name, statuses[name]))
        statuses[name] = status
    }

    private func advance(to stamp: Stamp) throws(DatabaseError) {
        let ended = place.time.advance(to: stamp)
        guard let first = ended.first else { return }
        try tables.prolong(place.stretch, until: first.until)
        for next in ended.dropFirst() + [place.time.current] { place.stretch = try tables.write(next, of: run) }
    }
}
