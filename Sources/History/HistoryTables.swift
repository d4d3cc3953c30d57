/// What is written, as rows. Everything is done within a transaction of the caller's.
struct HistoryTables {
    /// The row of what is no target: the connectivity as a whole.
    static let whole: Int64 = 0
    /// Whose mark is the last event that was removed: no reader has this name.
    static let removed = ""

    let database: Database
    private let event: Statement
    private let status: Statement
    private let stretch: Statement
    private let prolongation: Statement
    private let minute: Statement
    private let target: Statement
    private let newTarget: Statement
    private let mark: Statement
    private var targets: [String: Int64] = [:]

    init(_ database: Database) throws(DatabaseError) {
        self.database = database
        event = try database.prepare(
            "INSERT OR IGNORE INTO event(run, seq, time, snapshot, told, line) VALUES(?, ?, ?, ?, ?, ?)")
        status = try database.prepare("INSERT INTO status(run, target, stretch, time, status) VALUES(?, ?, ?, ?, ?)")
        stretch = try database.prepare("INSERT INTO stretch(run, since, until, kind) VALUES(?, ?, ?, ?)")
        prolongation = try database.prepare("UPDATE stretch SET until = ? WHERE id = ?")
        minute = try database.prepare(
            """
            INSERT INTO minute VALUES(?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT(minute, target) DO UPDATE SET
            probes = probes + excluded.probes, failures = failures + excluded.failures,
            duration = duration + excluded.duration, longest = max(longest, excluded.longest),
            resolve = resolve + excluded.resolve, connect = connect + excluded.connect, tls = tls + excluded.tls,
            processing = processing + excluded.processing, transfer = transfer + excluded.transfer
            """)
        target = try database.prepare("SELECT id FROM target WHERE name = ?")
        newTarget = try database.prepare("INSERT INTO target(name) VALUES(?)")
        mark = try database.prepare("INSERT OR REPLACE INTO mark VALUES(?, ?, ?)")
    }

    func write(_ note: HistoryNote, _ line: [UInt8], of run: Int64) throws(DatabaseError) {
        try event.run(
            .number(run), .number(Int64(clamping: note.seq)), .number(note.stamp.wall.milliseconds),
            .number(note.isSnapshot ? 1 : 0), .number(note.isTransition ? 1 : 0), .bytes(line))
    }

    func write(_ new: PastStatus, of target: Int64, at time: Int64, in stretch: Int64, of run: Int64)
        throws(DatabaseError)
    {
        try status.run(.number(run), .number(target), .number(stretch), .number(time), .number(new.rawValue))
    }

    /// - Returns: Its row.
    func write(_ new: Stretch, of run: Int64) throws(DatabaseError) -> Int64 {
        try stretch.run(.number(run), .number(new.since), .number(new.until), .number(new.kind.rawValue))
        return database.lastRow
    }

    func prolong(_ row: Int64, until end: Int64) throws(DatabaseError) {
        try prolongation.run(.number(end), .number(row))
    }

    func write(_ sum: ProbeSum, of target: Int64, in number: Int64) throws(DatabaseError) {
        try minute.run(
            .number(number), .number(target), .number(sum.probes), .number(sum.failures), .number(sum.duration),
            .number(sum.longest), .number(sum.phases.resolve), .number(sum.phases.connect), .number(sum.phases.tls),
            .number(sum.phases.processing), .number(sum.phases.transfer))
    }

    /// Up to where a reader has had the events.
    func write(_ name: String, _ place: HistoryReading.Place) throws(DatabaseError) {
        try mark.run(.text(name), .number(Int64(clamping: place.run)), .number(Int64(clamping: place.seq)))
    }

    /// The row of a target's name, which is made where it is not there.
    mutating func row(of name: String) throws(DatabaseError) -> Int64 {
        if let row = targets[name] { return row }
        try target.bind(.text(name))
        var row: Int64?
        // To its end: a statement that is not there holds the transaction.
        while try target.step() { row = target.number(0) }
        if row == nil {
            try newTarget.run(.text(name))
            row = database.lastRow
        }
        targets[name] = row
        return row ?? Self.whole
    }

    /// Forgets which rows it has seen: a transaction that failed took them back.
    mutating func forget() {
        targets = [:]
    }
}
