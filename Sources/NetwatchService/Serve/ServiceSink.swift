import Connectivity
import DequeModule
import EventLoop
import Netwatch
import Reachability

/// Takes the events of a service: a line each for the log, or a message each for the journal, and the state for the service's
/// manager. It never waits: where the log takes no more, and where the journal would be flooded, events are left out and
/// counted.
final class ServiceSink: EventSink {
    private let log: LineOutput?
    private let journal: Journal?
    private let isJSON: Bool
    private let origin: EventOrigin
    private let notice: StartNotice?
    private let loop: EventLoop
    /// Safe because ``EventPump`` calls a sink on the loop's thread only, one event after the other.
    nonisolated(unsafe) private var state = State()

    private struct State {
        /// The line that is being written, as a whole.
        var line: [UInt8] = []
        /// What the log has still to take of it.
        var rest: [UInt8] = []
        /// The lines after that.
        var waiting: Deque<[UInt8]> = []
        /// How many events are missing after these.
        var skipped = 0
        var isRetryPlanned = false
        /// How often in a row the log has refused what was to be written.
        var failures = 0
        /// How fast messages may come into the journal.
        var pace = LogPace()
        var isSummaryPlanned = false
    }

    /// How long after an event that was left out the number of these is told.
    private static let summaryDelay = Duration.seconds(5)
    /// How long after the log has taken no more it is tried again.
    private static let retryDelay = Duration.milliseconds(100)
    /// How long after it has failed: a disk is not emptied as fast as a pipe, and a log that never comes back costs nothing.
    private var failureDelay: Duration { unsafe .seconds(min(1 << min(state.failures - 1, 6), 60)) }
    private static let mostWaiting = 64

    /// - Parameters:
    ///   - log: Where lines go; nil for nowhere.
    ///   - journal: Where messages go in the place of lines; nil for nowhere.
    ///   - origin: Whose events they are.
    ///   - notice: Tells the service's manager; nil where there is none.
    init(
        log: LineOutput?, journal: Journal? = nil, isJSON: Bool, origin: EventOrigin, notice: StartNotice?,
        loop: EventLoop
    ) {
        self.log = log
        self.journal = journal
        self.origin = origin
        self.isJSON = isJSON
        self.notice = notice
        self.loop = loop
    }

    func accept(_ event: Event) -> EventRemainder? {
        if event.reachability != .unknown { notice?.tell(Self.status(event)) }
        if let journal, write(event, to: journal) { return nil }
        if let log { write(line(event), to: log) }
        return nil
    }

    // MARK: The journal

    /// Whether the journal has taken the event, or does without it for now.
    private func write(_ event: Event, to journal: Journal) -> Bool {
        guard unsafe state.pace.allows(at: .now) else {
            planSummary(journal)
            return true
        }
        summarize(journal)
        return journal.write(event)
    }

    private func summarize(_ journal: Journal) {
        let count = unsafe state.pace.takeLeftOut()
        if count > 0 { _ = journal.write(leftOut: count) }
    }

    private func planSummary(_ journal: Journal) {
        guard unsafe !state.isSummaryPlanned else { return }
        unsafe state.isSummaryPlanned = true
        loop.schedule(after: Self.summaryDelay) { [weak self] in
            unsafe self?.state.isSummaryPlanned = false
            self?.summarize(journal)
        }
    }

    // MARK: Lines

    private func line(_ event: Event) -> [UInt8] {
        isJSON ? event.jsonLine(of: origin) : Array((PlainLine.text(of: event) + "\n").utf8)
    }

    private func write(_ line: [UInt8], to log: LineOutput) {
        if unsafe state.skipped == 0, unsafe state.waiting.count < Self.mostWaiting {
            unsafe state.waiting.append(line)
        } else {
            unsafe state.skipped += 1
        }
        flush(log)
    }

    /// Writes what waits, and how many events are missing after it, as far as the log takes it.
    private func flush(_ log: LineOutput) {
        while let next = nextPart() {
            unsafe state.rest = take(next, by: log)
            guard unsafe state.rest.isEmpty else { return retry(log) }
        }
    }

    private func nextPart() -> [UInt8]? {
        if unsafe !state.rest.isEmpty { return unsafe state.rest }
        guard let line = nextLine() else { return nil }
        unsafe state.line = line
        return line
    }

    private func nextLine() -> [UInt8]? {
        if let line = unsafe state.waiting.popFirst() { return line }
        guard unsafe state.skipped > 0 else { return nil }
        let notice = unsafe "\(state.skipped) events are not in this log, which took no more"
        unsafe state.skipped = 0
        guard isJSON else { return Array("netwatch: \(notice)\n".utf8) }
        // Among lines of JSON it would be none; the numbers of the events tell it, too.
        StandardStreams.tell(notice)
        return nil
    }

    /// - Returns: What is still to be written before the next line.
    private func take(_ bytes: [UInt8], by log: LineOutput) -> [UInt8] {
        let outcome = log.assumeIsolated { log -> Result<[UInt8], OutputError> in
            do throws(OutputError) { return .success(try log.writeAtOnce(bytes)) } catch { return .failure(error) }
        }
        switch outcome {
        case .success(let left):
            if left.isEmpty { unsafe state.failures = 0 }
            return left
        case .failure(.closed):
            // A log that is gone for good ends no service.
            tell("\(OutputError.closed); from here on events are missing in the log")
            return []
        case .failure(let error):
            tell("\(error); it is tried again, and what is too much by then is missing in the log")
            // A line that is there in part makes no sense to a reader, nor does one that follows it directly.
            let line = unsafe state.line
            return log.assumeIsolated({ $0.isWithinLine }) ? [UInt8(ascii: "\n")] + line : line
        }
    }

    /// Tells once that the log takes nothing.
    private func tell(_ failure: String) {
        if unsafe state.failures == 0 { StandardStreams.tell(failure) }
        unsafe state.failures += 1
    }

    /// What the log has not taken is tried again, whether or not another event comes.
    private func retry(_ log: LineOutput) {
        guard unsafe !state.isRetryPlanned else { return }
        unsafe state.isRetryPlanned = true
        loop.schedule(after: unsafe state.failures > 0 ? failureDelay : Self.retryDelay) { [weak self] in
            unsafe self?.state.isRetryPlanned = false
            self?.flush(log)
        }
    }

    static func status(_ event: Event) -> String {
        let words =
            VerdictWords.isProbed(event)
            ? "\(event.connectivity.rawValue), \(VerdictWords.way(event))" : VerdictWords.way(event)
        return words
    }
}
