import Foundation
import TestSupport
import Testing

/// What a run of `netwatch --json` tells, from one cause to the next.
final class Story {
    private let run: ProgramRun
    private var read = 0
    private(set) var told = Told()
    private var begun: [Told.Event] = []
    /// When the present cause was made, and what it is.
    private var cause: (what: String, time: Double)
    private let title: String
    /// What has gone over the host's links, and had when the cause was made; nothing where no table is written.
    private let wire: Wire
    private var bytesBefore: Int?

    init(_ run: ProgramRun, wire: Wire, title: String) {
        self.run = run
        self.wire = wire
        self.title = title
        cause = ("start", Date().timeIntervalSince1970)
        bytesBefore = wire.bytes
    }

    /// Waits until the program has told that all is well, and for a while in which it asks once more.
    func isWell(for seconds: Double = 2.5, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        _ = try await run.wait(for: "full") {
            try readOn(); return told.connectivity == "full" ? true : nil
        }
        try await Task.sleep(for: .seconds(seconds))
        try readOn()
        #expect(told.connectivity == "full" && told.down.isEmpty, "\(told)", sourceLocation: sourceLocation)
        begun = []
    }

    /// Makes a cause.
    func when(_ what: String, _ change: () throws -> Void) rethrows -> Story {
        begin(what)
        try change()
        return self
    }

    /// Makes a cause that takes its time. It sleeps as a task does: a thread of the pool that slept would be missing elsewhere.
    func when(_ what: String, _ change: () async throws -> Void) async rethrows -> Story {
        begin(what)
        try await change()
        return self
    }

    private func begin(_ what: String) {
        bytesBefore = wire.bytes
        try? readOn()
        begun = []
        cause = (what, Date().timeIntervalSince1970)
    }

    /// Waits for what is to come of the cause, and looks for as long again whether it stays so and nothing else is told.
    ///
    /// - Parameters:
    ///   - verdict: What is to be told in the end.
    ///   - alsoTrue: What may be told before it, because it is so.
    ///   - events: How many lines may tell it.
    ///   - limit: Seconds from the cause. A machine that runs all tests at once is given five more.
    ///   - quiet: How long it is looked at afterwards.
    func tells(
        _ verdict: Told.Verdict, or alsoTrue: Told.Verdict..., events: ClosedRange<Int> = 1...1, within limit: Double,
        quiet: Double = 3, sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        let before = told.verdict
        let deadline = cause.time + limit + Self.grace
        while try !isTold(verdict), Date().timeIntervalSince1970 < deadline {
            try await Task.sleep(for: .milliseconds(10))
        }
        let seconds = begun.last.map { $0.seconds - cause.time }
        try await Task.sleep(for: .seconds(quiet))
        try readOn()
        let row = Row(
            title: title, cause: cause.what, events: begun, told: told, bytes: bytes,
            seconds: begun.first { verdict.isMet(by: $0.after) }.map { $0.seconds - cause.time } ?? seconds)
        row.write(isGood: verdict.isMet(by: told) && events.contains(begun.count))
        #expect(verdict.isMet(by: told), "wanted \(verdict)\n\(row)\n\(run.errorText)", sourceLocation: sourceLocation)
        #expect(events.contains(begun.count), "\(begun.count) events\n\(row)", sourceLocation: sourceLocation)
        for event in begun {
            let isTrue =
                ([verdict] + alsoTrue).contains { $0.admits(event.after) } || event.after.verdict == before
            #expect(isTrue, "told in between: \(event)\n\(row)", sourceLocation: sourceLocation)
        }
    }

    /// Nothing is to be told of the cause at all.
    func tellsNothing(for seconds: Double, sourceLocation: SourceLocation = #_sourceLocation) async throws {
        try await Task.sleep(for: .seconds(seconds))
        try readOn()
        let row = Row(title: title, cause: cause.what, events: begun, told: told, bytes: bytes, seconds: nil)
        row.write(isGood: begun.isEmpty)
        #expect(begun.isEmpty, "\(row)", sourceLocation: sourceLocation)
    }

    /// Nothing else may be told of the cause, and that so often at most, once each way.
    func tellsOnly(
        _ verdict: Told.Verdict, or alsoTrue: Told.Verdict..., atMost events: Int, for seconds: Double,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        try await Task.sleep(for: .seconds(seconds))
        try readOn()
        let row = Row(title: title, cause: cause.what, events: begun, told: told, bytes: bytes, seconds: nil)
        let isGood =
            begun.count <= events
            && begun.allSatisfy { event in
                event.after.isWell || ([verdict] + alsoTrue).contains { $0.admits(event.after) }
            }
        row.write(isGood: isGood)
        #expect(isGood, "\(row)", sourceLocation: sourceLocation)
    }

    /// Sets how many descriptors the program may have from now on; those that it has stay.
    func limitDescriptors(to count: Int) throws {
        try Command.run(["prlimit", "--pid", "\(run.processID)", "--nofile=\(count):"])
    }

    /// Sends the program a signal.
    func send(_ signal: Int32) { run.send(signal) }

    /// Its end: without a word on standard error, its lines numbered without a gap.
    func ends(sourceLocation: SourceLocation = #_sourceLocation) async throws {
        run.send(SIGTERM)
        #expect(try await run.end() == 0, sourceLocation: sourceLocation)
        #expect(run.errorText == "", sourceLocation: sourceLocation)
        let numbers = try run.lines.map { try Told.Line($0).seq }
        #expect(numbers == Array(1...UInt64(max(numbers.count, 1))), sourceLocation: sourceLocation)
    }

    private func isTold(_ verdict: Told.Verdict) throws -> Bool {
        try readOn()
        return verdict.isMet(by: told)
    }

    private func readOn() throws {
        let lines = run.lines
        for text in lines.dropFirst(read) {
            let line = try Told.Line(text)
            told.take(line)
            begun.append(Told.Event(line: line, after: told))
        }
        read = lines.count
    }

    /// What has gone over the wire since the cause.
    private var bytes: Int? { wire.bytes.flatMap { now in bytesBefore.map { now - $0 } } }

    private static let grace = 5.0
}
