import Connectivity
import Foundation
import History
import Netwatch
import SystemPackage
import TestSupport
import Testing

@testable import NetwatchService

@Suite("Events that wait in the history", .timeLimit(.minutes(2)))
struct HistoryBacklogTests {
    private static let origin = EventOrigin(id: "5c1a", name: "router-7", labels: [:], epoch: 1)

    /// A history in a folder, and what a service does with an event.
    private struct Past {
        let folder: TemporaryFolder
        let size: Int

        init(size: Int = 8 << 20) throws {
            folder = try TemporaryFolder()
            self.size = size
        }

        var path: String { folder.path.appending("h.db").string }
        private var away: String { folder.path.string + "-away" }

        /// Its folder goes, as one of a disk that is not mounted yet.
        func goAway() throws { try FileManager.default.moveItem(atPath: folder.path.string, toPath: away) }
        func comeBack() throws { try FileManager.default.moveItem(atPath: away, toPath: folder.path.string) }
        func removeAway() { try? FileManager.default.removeItem(atPath: away) }

        func open(
            whenUnusable: History.WhenUnusable = .refuse, period: Duration = .seconds(60),
            tell: @escaping @Sendable (HistoryReport) -> Void = { _ in }
        ) throws -> History {
            try History(
                .init(path: path, days: 9, size: size), whenUnusable: whenUnusable, period: period,
                statuses: { nil }, tell: tell)
        }

        /// A run with five events, of which two were delivered; its number.
        func begin() async throws -> UInt64 {
            let history = try open()
            let backlog = HistoryBacklog(history, name: "mqtt")
            take(1...5, backlog, history)
            backlog.delivered(upTo: EventCursor(run: history.run, seq: 2))
            await history.close()
            return history.run
        }

        func take(
            _ numbers: ClosedRange<UInt64>, _ backlog: HistoryBacklog, _ history: History, padding: Int = 0,
            isSnapshot: Bool = false, skipped: UInt64 = 0
        ) {
            for seq in numbers {
                var event: Event = isSnapshot ? .snapshot() : .online
                event.seq = seq
                event.skipped = skipped
                event.probes = []
                backlog.append(event)
                var note = HistoryNote(event, of: HistoryBacklogTests.origin)
                let line = note.line
                note.line = { [UInt8](repeating: 0x20, count: padding) + line() }
                history.put(note)
            }
        }
    }

    /// What comes up to an event, as words: `run+seq` where runs are counted from 0, gaps as `-`.
    private static func read(
        _ backlog: HistoryBacklog, from first: UInt64, upTo seq: UInt64, of history: History
    ) async throws -> [String] {
        let last = EventCursor(run: history.run, seq: seq)
        var (words, place, idle): ([String], EventCursor?, Int) = ([], nil, 0)
        while place != last, idle < 1000 {
            guard let entry = backlog.next(after: place) else {
                idle += 1
                try await Task.sleep(for: .milliseconds(10))
                continue
            }
            place = entry.place
            let text = "\(entry.place.run - first)+\(entry.place.seq)"
            switch entry {
            case .event, .line: words.append(text)
            case .gap: words.append("-\(text)")
            }
        }
        #expect(backlog.next(after: place) == nil)
        return words
    }

    private static func words(_ run: Int, _ numbers: ClosedRange<Int>) -> [String] { numbers.map { "\(run)+\($0)" } }

    /// Whether each event of the first run is there in its order, or in a gap.
    private static func isWhole(_ words: some Sequence<String>, upTo last: Int) -> Bool {
        var place = 0
        for word in words {
            guard let number = word.split(separator: "+").last.flatMap({ Int($0) }), number > place,
                word.hasPrefix("-") || number == place + 1
            else { return false }
            place = number
        }
        return place == last
    }

    @Test("come in their order, although only the latest of them are in memory")
    func order() async throws {
        let past = try Past()
        let history = try past.open()
        let backlog = HistoryBacklog(history, name: "mqtt")
        past.take(1...3000, backlog, history)
        #expect(backlog.count == 3000)
        let all = try await Self.read(backlog, from: history.run, upTo: 3000, of: history)
        #expect(all == Self.words(0, 1...3000))
        backlog.delivered(upTo: EventCursor(run: history.run, seq: 3000))
        #expect(backlog.count == 0 && backlog.next(after: nil) == nil)
        await history.close()
    }

    @Test("go on in the next run where they were acknowledged, for each reader by itself")
    func runs() async throws {
        let past = try Past()
        let first = try past.open()
        let (one, two) = (HistoryBacklog(first, name: "one"), HistoryBacklog(first, name: "two"))
        past.take(1...500, one, first)
        one.delivered(upTo: EventCursor(run: first.run, seq: 123))
        // An earlier word means nothing any more.
        one.delivered(upTo: EventCursor(run: first.run, seq: 100))
        await first.close()
        let second = try past.open()
        let gap = Int(second.run - first.run)
        let (again, other, new) = (
            HistoryBacklog(second, name: "one"), HistoryBacklog(second, name: "two"),
            HistoryBacklog(second, name: "three")
        )
        for backlog in [again, other, new] { past.take(1...2, backlog, second) }
        let tail = ["\(gap)+1", "\(gap)+2"]
        #expect(try await Self.read(again, from: first.run, upTo: 2, of: second) == Self.words(0, 124...500) + tail)
        #expect(try await Self.read(other, from: first.run, upTo: 2, of: second) == Self.words(0, 1...500) + tail)
        #expect(try await Self.read(new, from: first.run, upTo: 2, of: second) == tail)
        #expect(again.count == 377 + 2)
        again.delivered(upTo: EventCursor(run: second.run, seq: 1))
        #expect(again.count == 1)
        withExtendedLifetime(two) {}
        await second.close()
    }

    @Test("are a gap where the history had to make room, in this run and of an earlier one")
    func room() async throws {
        let past = try Past()
        let first = try past.open()
        let backlog = HistoryBacklog(first, name: "mqtt")
        for part in 0..<20 {
            past.take(UInt64(part * 100 + 1)...UInt64(part * 100 + 100), backlog, first, padding: 8000)
            await first.flush(isUrgent: true)
        }
        let words = try await Self.read(backlog, from: first.run, upTo: 2000, of: first)
        let gap = try #require(words.first)
        #expect(gap.hasPrefix("-0+"))
        let end = try #require(Int(gap.dropFirst(3)))
        #expect(end > 500 && end < 1744)
        #expect(Self.isWhole(words, upTo: 2000), "\(words)")
        await first.close()
        let second = try past.open()
        let later = HistoryBacklog(second, name: "mqtt")
        past.take(1...1, later, second)
        let all = try await Self.read(later, from: first.run, upTo: 1, of: second)
        #expect(all.first?.hasPrefix("-0+") == true && all.last == "\(second.run - first.run)+1", "\(all)")
        // Room may be made while it is read: what is not there then is one more gap.
        #expect(Self.isWhole(all.dropLast(), upTo: 2000), "\(all)")
        #expect(all.count <= words.count + 3 && all.count > 100)
        await second.close()
    }

    @Test("are not told as lost where an earlier run had no more")
    func noFalseGap() async throws {
        let past = try Past()
        var runs: [UInt64] = []
        for _ in 0..<3 {
            let history = try past.open()
            runs.append(history.run)
            let backlog = HistoryBacklog(history, name: "mqtt")
            past.take(1...3, backlog, history)
            guard runs.count == 3 else {
                await history.close()
                continue
            }
            let expected = runs.flatMap { run in (1...3).map { "\(run - runs[0])+\($0)" } }
            #expect(try await Self.read(backlog, from: runs[0], upTo: 3, of: history) == expected)
            await history.close()
        }
    }

    @Test("are whole where a run begins with a later number than 1, in memory and in the file")
    func laterBeginning() async throws {
        let past = try Past()
        let first = try past.open()
        let backlog = HistoryBacklog(first, name: "mqtt")
        past.take(3...3, backlog, first, isSnapshot: true)
        past.take(4...6, backlog, first)
        #expect(try await Self.read(backlog, from: first.run, upTo: 6, of: first) == Self.words(0, 3...6))
        await first.close()
        let second = try past.open()
        let later = HistoryBacklog(second, name: "mqtt")
        past.take(2...2, later, second, isSnapshot: true)
        let tail = ["\(second.run - first.run)+2"]
        #expect(try await Self.read(later, from: first.run, upTo: 2, of: second) == Self.words(0, 3...6) + tail)
        // The same once it is in the file: a page begins where the reader is.
        later.delivered(upTo: EventCursor(run: first.run, seq: 5))
        past.take(3...600, later, second)
        let words = try await Self.read(later, from: first.run, upTo: 600, of: second)
        #expect(words == Self.words(0, 6...6) + (2...600).map { "\(second.run - first.run)+\($0)" })
        await second.close()
    }

    @Test("are whole where one stands for others that were not read in time, in memory and in the file")
    func standing() async throws {
        let past = try Past()
        let history = try past.open()
        let backlog = HistoryBacklog(history, name: "mqtt")
        past.take(1...3, backlog, history)
        // Of the seven one was a result, which has no number.
        past.take(10...10, backlog, history, skipped: 7)
        past.take(11...12, backlog, history)
        let expected = Self.words(0, 1...3) + Self.words(0, 10...12)
        #expect(try await Self.read(backlog, from: history.run, upTo: 12, of: history) == expected)
        past.take(13...600, backlog, history)
        let all = try await Self.read(backlog, from: history.run, upTo: 600, of: history)
        #expect(all == expected + Self.words(0, 13...600))
        // What it does not stand for is lost.
        past.take(610...610, backlog, history, skipped: 3)
        backlog.delivered(upTo: EventCursor(run: history.run, seq: 600))
        #expect(try await Self.read(backlog, from: history.run, upTo: 610, of: history) == ["-0+609", "0+610"])
        await history.close()
    }

    @Test("are told from memory while the file cannot be written")
    func failing() async throws {
        let past = try Past()
        let history = try past.open()
        let backlog = HistoryBacklog(history, name: "mqtt")
        await history.close()
        past.take(1...200, backlog, history)
        let all = try await Self.read(backlog, from: history.run, upTo: 200, of: history)
        #expect(all == Self.words(0, 1...200))
    }

    @Test("are told from memory after a gap where the file cannot be read for ten seconds, each time anew")
    func unreadable() async throws {
        let past = try Past()
        let first = try await past.begin()
        let history = try past.open()
        let backlog = HistoryBacklog(history, name: "mqtt")
        await history.close()
        try FileManager.default.removeItem(atPath: past.path)
        past.take(1...40, backlog, history)
        let start = ContinuousClock.now
        let entry = try await arrival(of: "the gap") { backlog.next(after: nil) }
        #expect(ContinuousClock.now - start >= .seconds(10))
        let (old, begin) = (EventCursor(run: first, seq: 2), EventCursor(run: history.run, seq: 0))
        guard case .gap(old, begin) = entry else { return #expect(Bool(false), "\(entry)") }
        // Once it went on from memory, a failure is the first of others.
        #expect(backlog.next(after: EventCursor(run: history.run, seq: 5))?.place.seq == 6)
        #expect(backlog.next(after: old) == nil)
        backlog.delivered(upTo: begin)
        let all = try await Self.read(backlog, from: history.run, upTo: 40, of: history)
        #expect(all == Self.words(0, 1...40))
    }

    @Test(
        "are told from memory where the file was removed, after a gap for what an earlier run had more",
        arguments: [false, true])
    func removedFile(isWritten: Bool) async throws {
        let past = try Past()
        let first = try await past.begin()
        let history = try past.open()
        let backlog = HistoryBacklog(history, name: "mqtt")
        past.take(1...40, backlog, history)
        await history.flush(isUrgent: true)
        // The database last: it is missed at once, and what is begun anew beside it is not to be removed.
        for ending in ["-wal", "-shm", ""] { try FileManager.default.removeItem(atPath: past.path + ending) }
        let removed = EventCursor(run: history.run, seq: 40)
        try await expectSoon("another file") { (try? history.readHere { try $0.forgotten() }) == removed }
        if isWritten {
            past.take(41...41, backlog, history)
            await history.flush(isUrgent: true)
        }
        let (run, last) = (Int(history.run - first), isWritten ? 41 : 40)
        let all = try await Self.read(backlog, from: first, upTo: UInt64(last), of: history)
        #expect(all == ["-\(run)+0"] + Self.words(run, 1...last))
        await history.close()
    }

    @Test("of an earlier run come first, too, where the history is there only after the start")
    func late() async throws {
        let past = try Past()
        let first = try await past.begin()
        // Of the run before nothing is known: this one has the number of its second.
        try await Task.sleep(for: .milliseconds(1100))
        try past.goAway()
        defer { past.removeAway() }
        let history = try past.open(whenUnusable: .wait, period: .milliseconds(20))
        let backlog = HistoryBacklog(history, name: "mqtt")
        past.take(1...2, backlog, history)
        #expect(history.mark(of: "mqtt") == EventCursor(run: history.run, seq: 0))
        try past.comeBack()
        try await expectSoon("the history") { history.mark(of: "mqtt") == EventCursor(run: first, seq: 2) }
        let all = try await Self.read(backlog, from: first, upTo: 2, of: history)
        #expect(all == Self.words(0, 3...5) + Self.words(Int(history.run - first), 1...2))
        await history.close()
    }

    @Test("of an earlier run are passed over, which is told, where one of this run arrives as the history comes")
    func arrivalAsItComes() async throws {
        let past = try Past()
        let first = try await past.begin()
        try await Task.sleep(for: .milliseconds(1100))
        try past.goAway()
        defer { past.removeAway() }
        let (reports, teller) = AsyncStream<HistoryReport>.makeStream()
        let history = try past.open(whenUnusable: .wait, period: .milliseconds(20)) { teller.yield($0) }
        let backlog = HistoryBacklog(history, name: "mqtt")
        past.take(1...2, backlog, history)
        try past.comeBack()
        let old = EventCursor(run: first, seq: 2)
        try await expectSoon("the history") { history.mark(of: "mqtt") == old }
        let new = EventCursor(run: history.run, seq: 1)
        backlog.delivered(upTo: new)
        #expect(history.mark(of: "mqtt") == new)
        teller.finish()
        #expect(await reports.contains(.passedOver(reader: "mqtt", after: old)))
        await history.close()
    }
}
