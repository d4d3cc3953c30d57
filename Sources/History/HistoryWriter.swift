import EventLoop

/// Writes what waits, on a thread of its own.
actor HistoryWriter {
    /// How long what is not looked for may wait.
    private static let pause = Duration.seconds(1)
    /// How long to leave a file alone that cannot be written.
    private static let respite = Duration.seconds(5)
    private static let mostSums = 100_000
    /// How many notes are written at once: there may be room for them while there is none for all that wait.
    private static let mostNotes = 256

    private let feed: HistoryFeed
    private let progress: HistoryProgress
    private var lock: HistoryLock?
    private let loop: EventLoop
    private let beginning: HistoryBeginning
    /// What was in the way at first.
    private let obstacle: HistoryError?
    /// How often sums and the time are written: what a run loses at most that is killed.
    private let period: Duration
    private let clock: @Sendable () -> Stamp
    private let statuses: @Sendable () -> HistoryNote?
    private let tell: @Sendable (HistoryReport) -> Void
    /// Nil while another service has it or it cannot be opened, and once it was closed.
    private var file: HistoryFile?
    private var isClosed = false
    /// Why the file could not be taken over the last time.
    private var complaint: HistoryError?

    /// What was taken and is not written yet.
    private var notes: [HistoryNote] = []
    private var sums: [HistoryFeed.Key: ProbeSum] = [:]
    private var marks: [String: HistoryReading.Place] = [:]
    /// How many notes are missing after these.
    private var lost: UInt64 = 0
    /// The number of the last event that was taken, or is missing.
    private var last: UInt64 = 0
    /// How many are missing since the file could be written last.
    private var missing: UInt64 = 0
    private var isFailing = false
    /// What everything was when the file was begun or taken over, which is written before all that waits.
    private var standing: HistoryNote?
    /// Whether it was pruned because it was full, and not written since.
    private var hasMadeRoom = false
    /// How many notes are written at once now.
    private var portion = mostNotes
    private var isRetryPlanned = false
    /// When it was written last at a reader's request, on the monotonic clock.
    private var flushed: Int64?

    nonisolated var unownedExecutor: UnownedSerialExecutor { unsafe loop.asUnownedSerialExecutor() }

    init(
        _ beginning: sending HistoryBeginning, feed: HistoryFeed, progress: HistoryProgress, loop: EventLoop,
        period: Duration, clock: @escaping @Sendable () -> Stamp, statuses: @escaping @Sendable () -> HistoryNote?,
        tell: @escaping @Sendable (HistoryReport) -> Void
    ) {
        file = beginning.held?.file
        lock = beginning.held?.lock
        obstacle = beginning.obstacle
        self.beginning = beginning.withoutFile
        self.period = period
        self.feed = feed
        self.progress = progress
        self.loop = loop
        self.clock = clock
        self.statuses = statuses
        self.tell = tell
    }

    /// Looks whether the file is whole, which nothing waits for, and begins to count the minutes.
    func begin() {
        attempt { file throws(DatabaseError) in try file.examine() }
        prune()
        if file == nil { wait(for: obstacle ?? .inUse(path: beginning.limits.path)) }
        later(period) { $0.beat() }
    }

    /// Something waits.
    nonisolated func wake(isUrgent: Bool) {
        later(isUrgent ? .zero : Self.pause) { $0.writeNotes() }
    }

    /// - Returns: Until when the file tells all, in milliseconds since 1970-01-01 UTC.
    func flush(isUrgent: Bool) -> Int64 {
        let now = clock()
        let isRecent = flushed.map { $0 <= now.monotonic && now.monotonic - $0 < 1_000_000_000 } ?? false
        if !isFailing, isUrgent || !isRecent {
            write(until: now)
            flushed = now.monotonic
        }
        return file?.end ?? now.wall.milliseconds
    }

    func close() {
        write(until: clock())
        isClosed = true
        file = nil
        lock = nil
    }

    /// A reader on another thread has met this.
    ///
    /// - Parameter number: Which file was written to when it asked, of those that ``HistoryProgress/file`` counts.
    nonisolated func report(_ error: DatabaseError, of number: Int) {
        later(.zero) { $0.take(error, of: number) }
    }

    /// A reader has found that the file is no database, or not there, which may not have shown here yet.
    func take(_ error: DatabaseError, of number: Int) {
        // Of a file that was replaced since, it would set the new one aside, in the place of the only copy of the past.
        guard let file, number == progress.file, error.isCorruption || error.isAbsent && file.hasMoved else { return }
        take(error.isCorruption ? error : .moved(error.path), file)
        if !isFailing { write(until: clock()) }
    }

    // MARK: When

    private nonisolated func later(_ delay: Duration, _ work: @escaping @Sendable (isolated HistoryWriter) -> Void) {
        loop.schedule(after: delay) { [weak self] in self?.assumeIsolated { work($0) } }
    }

    private func beat() {
        guard !isClosed else { return }
        if keepsHold() {
            write(until: clock())
            prune()
        }
        later(period) { $0.beat() }
    }

    private func writeNotes() {
        guard !isFailing else { return }
        write(until: nil)
    }

    private func retry() {
        if let file, file.hasMoved { take(.moved(beginning.limits.path), file) }
        guard file?.hasMoved == false else { return }
        write(until: clock())
    }

    // MARK: Whose the file is

    /// Looks whether the file and its lock are still what others find, and whether a file that was another service's is free.
    ///
    /// - Returns: Whether there is a file that can be written.
    private func keepsHold() -> Bool {
        guard let file, let lock else { return takeOver() }
        if !lock.isInPlace {
            do throws(HistoryError) { self.lock = try HistoryLock(beginning.limits.path) } catch {
                // Another service has begun there, or the folder is gone.
                wait(for: error)
                return false
            }
        }
        if file.hasMoved { take(.moved(beginning.limits.path), file) }
        return !isFailing
    }

    private func takeOver() -> Bool {
        do throws(HistoryError) {
            // First, so that it holds from where the file's time begins, and what comes after it keeps its own.
            let now = statuses()
            let held = try beginning.takeOver(at: clock())
            (lock, file, standing, complaint) = (held.lock, held.file, now, nil)
            progress.beginFile()
            adopt(held.file.marks)
            return true
        } catch {
            // Once for each reason. While another service has it, that is known.
            if case .inUse = error { return false }
            if error != complaint { tell(.failing(error)) }
            complaint = error
            return false
        }
    }

    /// Takes up where readers were in earlier runs, before what waits is written over it.
    private func adopt(_ earlier: [String: HistoryReading.Place]) {
        let (adopted, passedOver) = feed.adopt(earlier, in: UInt64(clamping: beginning.run))
        for reader in adopted.keys { marks[reader] = nil }
        for (reader, place) in passedOver { tell(.passedOver(reader: reader, after: place)) }
    }

    /// Leaves the file alone until what is in the way is gone.
    private func wait(for obstacle: HistoryError) {
        (file, lock, isFailing) = (nil, nil, true)
        progress.fail()
        if case .inUse(let path) = obstacle { return tell(.waiting(path: path)) }
        complaint = obstacle
        tell(.failing(obstacle))
    }

    // MARK: What

    /// - Parameter end: Until when the run has lasted, to be written with the sums; nil for the notes alone.
    private func write(until end: Stamp?) {
        // Once more where the file had to be replaced or made smaller.
        var failures = 0
        while failures < 8 {
            take(withSums: end != nil)
            let isIdle = notes.isEmpty && sums.isEmpty && marks.isEmpty && standing == nil && lost == 0
            guard file != nil, !isIdle || end != nil else { return }
            let part = Array(notes.prefix(portion))
            let isLast = part.count == notes.count
            let isWritten = attempt { [sums, marks, standing] file throws(DatabaseError) in
                if let standing { try file.state(standing) }
                try file.write(part, isLast ? sums : [:], isLast ? marks : [:], until: isLast ? end : nil)
            }
            guard isWritten else {
                guard !isFailing else { return }
                failures += 1
                continue
            }
            notes.removeFirst(part.count)
            (standing, hasMadeRoom) = (nil, false)
            guard isLast else {
                if file?.isPruningDue == true { prune() }
                continue
            }
            (sums, marks, portion) = ([:], [:], Self.mostNotes)
            progress.settle(upTo: last)
            return finish()
        }
    }

    private func take(withSums: Bool) {
        if notes.isEmpty, lost == 0 { (notes, lost, last) = feed.takeNotes() }
        marks.merge(feed.takeMarks()) { $1 }
        guard withSums, sums.count < Self.mostSums else { return }
        for (key, sum) in feed.takeSums() { sums[key, default: ProbeSum()] += sum }
    }

    private func finish() {
        if lost > 0 {
            let now = clock()
            let note = statuses()
            guard attempt({ file throws(DatabaseError) in try file.restate(note, at: now) }) else { return }
            missing += lost
            lost = 0
        }
        if isFailing || missing > 0 {
            tell(.recovered(lost: missing))
            (isFailing, missing) = (false, 0)
            progress.recover()
            // What has come while the file could not be written.
            wake(isUrgent: true)
        }
        if file?.isPruningDue == true { prune() }
    }

    private func prune() {
        attempt { [now = clock()] file throws(DatabaseError) in try file.prune(at: now) }
    }

    // MARK: What goes wrong

    /// - Returns: Whether it was done.
    @discardableResult
    private func attempt(_ work: (HistoryFile) throws(DatabaseError) -> Void) -> Bool {
        guard let file else { return false }
        do throws(DatabaseError) {
            try work(file)
            return true
        } catch {
            take(error, file)
            return false
        }
    }

    private func take(_ error: DatabaseError, _ file: HistoryFile) {
        if error.isLoss {
            do throws(DatabaseError) {
                // First, as where a file is taken over.
                let now = statuses()
                try file.replace(error, at: clock())
                progress.beginFile()
                standing = now
                // While it fails nothing but a retry writes.
                if isFailing { planRetry() } else { wake(isUrgent: true) }
            } catch {
                fail(error)
            }
        } else {
            guard error.isFull else { return fail(error) }
            // Within its own limit there may be room to be made, if only for some of what waits.
            let mayFit = !isFailing && (!hasMadeRoom || portion > 1)
            if hasMadeRoom { portion = max(portion / 4, 1) }
            hasMadeRoom = true
            try? file.prune(at: clock())
            if !mayFit { fail(error) }
        }
    }

    private func fail(_ error: DatabaseError) {
        if !isFailing { tell(.failing(.database(error))) }
        isFailing = true
        progress.fail()
        planRetry()
    }

    private func planRetry() {
        guard !isRetryPlanned else { return }
        isRetryPlanned = true
        later(Self.respite) { writer in
            writer.isRetryPlanned = false
            writer.retry()
        }
    }
}
