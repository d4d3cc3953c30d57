/// How a run comes to its file: it has the file at once, or something is in the way.
struct HistoryBeginning {
    let limits: History.Limits
    let tell: @Sendable (HistoryReport) -> Void
    /// This run's number.
    let run: Int64
    /// Up to where each reader has had the events.
    let marks: [String: HistoryReading.Place]
    /// Nil where something is in the way.
    let held: Held?
    /// What is: another service that has the file, a full disk, a folder that is not there.
    let obstacle: HistoryError?

    /// The file, and what keeps other services from it.
    struct Held {
        let lock: HistoryLock
        let file: HistoryFile
    }

    init(
        _ limits: History.Limits, _ whenUnusable: History.WhenUnusable, at stamp: Stamp,
        tell: @escaping @Sendable (HistoryReport) -> Void
    ) throws(HistoryError) {
        (self.limits, self.tell) = (limits, tell)
        do throws(HistoryError) {
            let lock = try HistoryLock(limits.path)
            let file = try HistoryFile(limits, at: stamp, tell: tell)
            (held, run, marks) = (Held(lock: lock, file: file), file.run, file.marks)
            obstacle = nil
        } catch {
            guard whenUnusable == .wait else { throw error }
            (run, marks) = Self.look(limits.path, at: stamp)
            (held, obstacle) = (nil, error)
        }
    }

    /// What is needed to take the file over later.
    var withoutFile: HistoryBeginning { HistoryBeginning(limits: limits, tell: tell, run: run) }

    private init(limits: History.Limits, tell: @escaping @Sendable (HistoryReport) -> Void, run: Int64) {
        (self.limits, self.tell, self.run) = (limits, tell, run)
        (marks, held, obstacle) = ([:], nil, nil)
    }

    /// Takes the file over, where nothing is in the way any more.
    func takeOver(at stamp: Stamp) throws(HistoryError) -> Held {
        let lock = try HistoryLock(limits.path)
        return Held(lock: lock, file: try HistoryFile(limits, run: run, at: stamp, tell: tell))
    }

    /// What there is to be known of a file that cannot be written.
    private static func look(_ path: String, at stamp: Stamp) -> (run: Int64, marks: [String: HistoryReading.Place]) {
        do {
            let database = try HistorySchema.openToRead(path)
            return (try HistoryFile.nextRun(database, at: stamp), try HistoryFile.marks(database))
        } catch {
            // Another service has only just begun to write it, or there is none.
            return (stamp.wall / 1_000_000_000, [:])
        }
    }
}
