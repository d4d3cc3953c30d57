import EventLoop

/// The past of one run of the program and of those before it, in a file of SQLite.
///
/// What is brought is written by a thread of its own, and the thread that brings it never waits. All methods may be called from any
/// thread.
package final class History: Sendable {
    /// Where and how much is kept.
    package struct Limits: Hashable, Sendable {
        package var path: String
        /// How many days back it goes.
        package var days: Int
        /// How large the file may become, in bytes.
        package var size: Int

        package init(path: String, days: Int, size: Int) {
            (self.path, self.days, self.size) = (path, days, size)
        }
    }

    /// How many descriptors it takes at most: two event loops, the file with its log and its lock, and a reader's.
    package static let descriptors = 12

    /// The number of this run: later runs have greater ones, whatever the clock says.
    package let run: UInt64
    private let path: String
    private let feed: HistoryFeed
    private let progress = HistoryProgress()
    private let tell: @Sendable (HistoryReport) -> Void
    private let writer: HistoryWriter
    private let reader: HistoryReader

    /// What is done where the file cannot be written: another service has it, the disk is full, its folder is not there.
    package enum WhenUnusable: Sendable {
        case refuse
        /// What comes is kept in memory, as far as there is room, until it can.
        case wait
    }

    /// - Parameters:
    ///   - period: How often it is looked whether the file is where it was, whose it is, and whether it can be written now.
    ///   - clock: Tells the time; another one for tests.
    ///   - statuses: The statuses of all targets as they are, where some that came are missing.
    ///   - tell: Takes what is to be known of the file: that it was set aside, that it cannot be written, that it can again.
    /// - Throws: ``HistoryError`` where the file cannot be used.
    package init(
        _ limits: Limits, whenUnusable: WhenUnusable = .refuse, period: Duration = .seconds(60),
        clock: @escaping @Sendable () -> Stamp = { .now },
        statuses: @escaping @Sendable () -> HistoryNote?, tell: @escaping @Sendable (HistoryReport) -> Void
    ) throws {
        let loop = try EventLoop(name: "netwatch-past")
        let beginning = try HistoryBeginning(limits, whenUnusable, at: clock(), tell: tell)
        let feed = HistoryFeed(marks: beginning.marks)
        run = UInt64(clamping: beginning.run)
        path = limits.path
        self.feed = feed
        self.tell = tell
        writer = HistoryWriter(
            beginning, feed: feed, progress: progress, loop: loop, period: period, clock: clock, statuses: statuses,
            tell: tell)
        reader = HistoryReader(limits.path, loop: try EventLoop(name: "netwatch-read"))
        loop.schedule(after: .zero) { [writer] in writer.assumeIsolated { $0.begin() } }
    }

    /// Takes an event.
    package func put(_ note: HistoryNote) {
        let isFirst = feed.put(note)
        if isFirst || note.isTransition { writer.wake(isUrgent: note.isTransition) }
    }

    /// Takes the end of a probe.
    ///
    /// - Parameter time: When it ended, in nanoseconds since 1970-01-01 UTC.
    package func put(_ probe: ProbeSum, of target: String, at time: UInt64) {
        feed.put(probe, of: target, at: Int64(clamping: time).milliseconds)
    }

    // MARK: Readers that go on where they were

    /// Up to where a reader has had the events; nil for one that has never been told of.
    ///
    /// A file that is there only after the start may know an earlier run's place, for one that has had nothing of this
    /// run.
    package func mark(of reader: String) -> HistoryReading.Place? { feed.mark(of: reader) }

    /// Tells that a reader has gone on with this run, and hears nothing of what earlier ones had after a place.
    package func passOver(_ reader: String, after place: HistoryReading.Place) {
        tell(.passedOver(reader: reader, after: place))
    }

    /// Notes up to where a reader has had the events: on the disk within a second.
    ///
    /// - Parameter follows: Whether it is noted, by what is known until then. That may be another place than was just
    ///   asked for: a file that comes late brings those of an earlier run.
    /// - Returns: What was known until then.
    @discardableResult
    package func put(
        _ mark: HistoryReading.Place, of reader: String,
        where follows: (HistoryReading.Place?) -> Bool = { _ in true }
    ) -> HistoryReading.Place? {
        let (former, isFirst) = feed.put(mark, of: reader, where: follows)
        if isFirst { writer.wake(isUrgent: false) }
        return former
    }

    /// Up to which of this run's events the file holds all that it ever will; any number where it cannot be written for long.
    ///
    /// To be taken before the file is read: what is written in between would look as if it were lost.
    package var settled: UInt64 { progress.isHopeless ? .max : progress.settled }

    /// Has what waits written now, without waiting for it.
    package func hasten() { writer.wake(isUrgent: true) }

    /// Answers from the file on the caller's thread, which may have to wait for the disk.
    ///
    /// - Throws: ``HistoryError`` or ``DatabaseError`` where it cannot be read.
    package func readHere<Answer>(_ question: (HistoryReading) throws -> Answer) throws -> Answer {
        let file = progress.file
        do { return try question(try HistoryReading(path)) } catch {
            switch error {
            case let error as DatabaseError: writer.report(error, of: file)
            case HistoryError.database(let error): writer.report(error, of: file)
            default: break
            }
            throw error
        }
    }

    /// Writes all that waits.
    ///
    /// - Parameter isUrgent: Whether it is done although it was done within the last second.
    /// - Returns: Until when the history tells all, in milliseconds since 1970-01-01 UTC.
    @discardableResult
    package func flush(isUrgent: Bool = false) async -> Int64 { await writer.flush(isUrgent: isUrgent) }

    /// Answers from the file, on a thread of its own.
    package func read<Answer: Sendable>(
        _ question: @escaping @Sendable (HistoryReading) throws -> Answer
    ) async throws -> Answer {
        let file = progress.file
        do { return try await reader.read(question) } catch {
            switch error {
            case let error as DatabaseError: await writer.take(error, of: file)
            case HistoryError.database(let error): await writer.take(error, of: file)
            default: break
            }
            throw error
        }
    }

    /// Writes all that waits and closes the file. What comes afterwards is lost.
    package func close() async {
        await writer.close()
    }
}

/// What is to be known of a history's file.
package enum HistoryReport: Hashable, Sendable {
    /// It was not readable and lies under another name now; a new one has begun.
    case setAside(DatabaseError, to: String)
    /// It was removed while it was written to; a new one has begun.
    case gone(DatabaseError)
    /// Another service writes to it: what comes is kept in memory as far as there is room for it there.
    case waiting(path: String)
    /// It cannot be written: what comes is kept in memory as far as there is room for it there.
    case failing(HistoryError)
    /// It can be written again; so many events are missing.
    case recovered(lost: UInt64)
    /// It came late: a reader has gone on with this run, and hears nothing of what earlier ones had after a place.
    case passedOver(reader: String, after: HistoryReading.Place)
    /// How large it is, in bytes.
    case size(Int64)
}

/// Why there is no history.
package enum HistoryError: Error, Hashable, Sendable, CustomStringConvertible {
    case database(DatabaseError)
    case inUse(path: String)
    case unusable(path: String, reason: String)

    package var description: String {
        switch self {
        case .database(let error): "\(error)"
        case .inUse(let path): "\(path): another netwatch keeps its history there"
        case .unusable(let path, let reason): "\(path): \(reason)"
        }
    }
}
