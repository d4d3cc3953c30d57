/// How a run comes to its file: it has the file at once, or another service has it still.
struct HistoryBeginning {
    let limits: History.Limits
    let tell: @Sendable (HistoryReport) -> Void
    /// This run's number.
    let run: Int64
    /// Up to where each reader has had the events.
    let marks: [String: HistoryReading.Place]
    /// Nil where another service has it.
    let held: Held?

    /// The file, and what keeps other services from it.
    struct Held {
        let lock: HistoryLock
        let file: HistoryFile
    }

    init(
        _ limits: History.Limits, _ whenInUse: History.WhenInUse, at stamp: Stamp,
        tell: @escaping @Sendable (HistoryReport) -> Void
    ) throws(HistoryError) {
        (self.limits, self.tell) = (limits, tell)
        do throws(HistoryError) {
            let lock = try HistoryLock(limits.path)
            let file = try HistoryFile(limits, at: stamp, tell: tell)
            (held, run, marks) = (Held(lock: lock, file: file), file.run, file.marks)
        } catch {
            guard case .inUse = error, whenInUse == .wait else { throw error }
            (run, marks) = Self.look(limits.path, at: stamp)
            held = nil
        }
    }

    /// What is needed to take the file over later.
    var withoutFile: HistoryBeginning { HistoryBeginning(limits: limits, tell: tell, run: run) }

    private init(limits: History.Limits, tell: @escaping @Sendable (HistoryReport) -> Void, run: Int64) {
        (self.limits, self.tell, self.run) = (limits, tell, run)
        (marks, held) = ([:], nil)
    }

    /// Takes the file over, where the other service has ended.
    func takeOver(at stamp: Stamp) throws(HistoryError) -> Held {
        let lock = try HistoryLock(limits.path)
        return Held(lock: lock, file: try HistoryFile(limits, run: run, at: stamp, tell: tell))
    }

    /// What there is to be known of a file that another service writes to.
    private static func look(_ path: String, at stamp: Stamp) -> (run: Int64, marks: [String: HistoryReading.Place]) {
        do {
            let database = try HistorySchema.openToRead(path)
            return (try HistoryFile.nextRun(database, at: stamp), try HistoryFile.marks(database))
        } catch {
            // It has only just begun to.
            return (stamp.wall / 1_000_000_000, [:])
        }
    }
}
