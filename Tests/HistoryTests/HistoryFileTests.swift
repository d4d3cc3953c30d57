import Foundation
import Glibc
import Synchronization
import SystemPackage
import TestSupport
import Testing

@testable import History

@Suite("A history's file", .timeLimit(.minutes(3)))
struct HistoryFileTests {
    /// A history with a clock of the test's.
    private final class Past: Sendable {
        static let start: Int64 = 1_800_000_000_000

        let folder: TemporaryFolder
        let limits: History.Limits
        private let stamp = Mutex(Stamp(wall: Past.start * 1_000_000, monotonic: 1_000_000_000, boot: 1_000_000_000))
        private let reports = Mutex<[HistoryReport]>([])
        private let seq = Mutex<UInt64>(0)
        /// What everything is, where a test changes it while the file is written.
        let snapshot = Mutex<HistoryNote?>(nil)
        /// What is done at a report, on the writer's thread.
        let reaction = Mutex<(@Sendable (HistoryReport) -> Void)?>(nil)

        init(days: Int = 90, size: Int = 8 << 20) throws {
            folder = try TemporaryFolder()
            limits = History.Limits(path: folder.path.appending("h.db").string, days: days, size: size)
        }

        var now: Stamp { stamp.withLock { $0 } }
        var told: [HistoryReport] { reports.withLock { $0 } }
        var milliseconds: Int64 { now.wall / 1_000_000 }

        func open(
            whenUnusable: History.WhenUnusable = .refuse, period: Duration = .seconds(60),
            statuses: @escaping @Sendable () -> HistoryNote? = { nil }
        ) throws -> History {
            seq.withLock { $0 = 0 }
            return try History(
                limits, whenUnusable: whenUnusable, period: period, clock: { self.now }, statuses: statuses,
                tell: { report in
                    self.reports.withLock { $0.append(report) }
                    let react = self.reaction.withLock { $0 }
                    react?(report)
                })
        }

        func pass(_ milliseconds: Int64) {
            stamp.withLock { stamp in
                stamp.wall += milliseconds * 1_000_000
                stamp.monotonic += milliseconds * 1_000_000
                stamp.boot += milliseconds * 1_000_000
            }
        }

        func set(by milliseconds: Int64) {
            stamp.withLock { $0.wall += milliseconds * 1_000_000 }
        }

        func note(
            _ targets: [(String, PastStatus)], isSnapshot: Bool = false, others: PastStatus? = nil, size: Int = 20
        ) -> HistoryNote {
            let number = seq.withLock { seq in
                seq += 1
                return seq
            }
            return HistoryNote(
                stamp: now, seq: number, isTransition: true, isSnapshot: isSnapshot, connectivity: .up,
                targets: targets.map { (name: $0.0, status: $0.1) }, others: others,
                line: { Array("{\"seq\":\(number)}".utf8) + [UInt8](repeating: 0x20, count: size) + [0x0A] })
        }

        func timeline(_ history: History, _ target: String?, since: Int64 = Past.start) async throws -> Timeline {
            await history.flush(isUrgent: true)
            let until = milliseconds
            let past = try await history.read { try $0.past(since: since, until: until) }
            return try #require(past.first { $0.target == target }, "\(past.map(\.target)), \(told)").timeline
        }
    }

    @Test("tells up, down and unknown to the millisecond over restarts, kills and a clock that is set")
    func times() async throws {
        let past = try Past()
        let first = try past.open()
        first.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(10_001)
        first.put(past.note([("shop", .down)]))
        past.pass(2_002)
        await first.flush(isUrgent: true)
        past.set(by: -3_600_000)
        first.put(past.note([("shop", .up)]))
        past.pass(5_003)
        await first.close()
        past.pass(4_000)
        past.set(by: 3_600_000)
        let second = try past.open()
        #expect(second.run > first.run)
        past.pass(1_000)
        second.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(7_000)
        let since = Past.start - 3_600_000
        let timeline = try await past.timeline(second, "shop", since: since)
        #expect(PastStatus.allCases.reduce(0) { $0 + timeline.milliseconds($1) } == past.milliseconds - since)
        #expect(timeline.milliseconds(.up) == 10_001 + 5_003 + 7_000)
        #expect(timeline.milliseconds(.down) == 2_002)
    }

    @Test("keeps names with quotes, NUL and ten thousand letters apart, and what was not named any more is unknown")
    func names() async throws {
        let past = try Past()
        let history = try past.open()
        let names = ["a'b\"c;--", "nul\u{0}one", "nul\u{0}two", "", String(repeating: "ü", count: 10_000)]
        history.put(past.note(names.map { ($0, .up) }, isSnapshot: true))
        past.pass(100)
        history.put(past.note([(names[1], .down)], others: .unknown))
        past.pass(50)
        for (index, name) in names.enumerated() {
            let timeline = try await past.timeline(history, name)
            #expect(timeline.milliseconds(.up) == 100, "\(index)")
            #expect(timeline.milliseconds(.down) == (index == 1 ? 50 : 0))
            let end = past.milliseconds
            let alone = try await history.read { try $0.past(since: Past.start, until: end, target: name) }
            #expect(alone.map(\.target) == [name])
        }
        var sum = ProbeSum()
        (sum.probes, sum.failures, sum.duration) = (2, 1, 500)
        history.put(sum, of: names[1], at: UInt64(past.now.wall))
        await history.flush(isUrgent: true)
        let points = try await history.read {
            try $0.probes(of: names[1], since: Past.start, until: .max / 2, every: 60_000)
        }
        #expect(points.map(\.sum) == [sum])
    }

    @Test("that is no database is set aside, at the start and in the middle of a run, and another is begun")
    func corruption() async throws {
        let past = try Past()
        _ = try past.folder.write(
            Array("this is no database, and long enough to be looked at".utf8) + [UInt8](repeating: 7, count: 9000),
            to: "h.db")
        let snapshot = Mutex<HistoryNote?>(nil)
        let history = try past.open { snapshot.withLock { $0 } }
        history.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(1000)
        #expect(try await past.timeline(history, "shop").milliseconds(.up) == 1000)
        let other = past.limits.path + ".corrupt"
        #expect(past.told.contains { if case .setAside(_, to: other) = $0 { true } else { false } })
        // Its pages are overwritten under it, as a bad disk does.
        snapshot.withLock { $0 = past.note([("shop", .up)], isSnapshot: true) }
        for name in ["h.db", "h.db-wal"] {
            let file = try FileDescriptor.open(past.folder.path.appending(name), .writeOnly)
            try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, [UInt8](repeating: 0x55, count: 65536)) }
        }
        for round in 0..<4 {
            past.pass(100)
            history.put(past.note([("shop", round.isMultiple(of: 2) ? .down : .up)]))
            await history.flush(isUrgent: true)
            // Who reads finds it out, where who writes has not.
            _ = try? await history.read { try $0.transitions(1) }
        }
        #expect(past.told.count { if case .setAside = $0 { true } else { false } } == 2, "\(past.told)")
        past.pass(500)
        let timeline = try await past.timeline(history, "shop")
        #expect(timeline.milliseconds(.up) >= 500, "\(timeline)")
    }

    @Test("is set aside once, though one that reads it tells so when another was begun already")
    func lateReport() async throws {
        let past = try Past()
        let history = try past.open()
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        let question: @Sendable (HistoryReading) throws -> Void = { _ in
            // Its pages are overwritten under it, as a bad disk does.
            let bytes = [UInt8](repeating: 0x55, count: 1 << 18)
            for name in ["h.db", "h.db-wal"] {
                let file = try FileDescriptor.open(past.folder.path.appending(name), .writeOnly)
                try file.closeAfter { _ = try file.writeAll(toAbsoluteOffset: 0, bytes) }
            }
            do { _ = try history.readHere { try $0.transitions(1) } } catch {
                // One reader has told of it; another, which has met it, too, does so once the file is replaced.
                for _ in 0..<10_000 where past.told.allSatisfy({ if case .setAside = $0 { false } else { true } }) {
                    usleep(1000)
                }
                throw error
            }
        }
        _ = try? await history.read(question)
        await history.flush(isUrgent: true)
        #expect(past.told.count { if case .setAside = $0 { true } else { false } } == 1, "\(past.told)")
        // What is kept is the old file, and no new one in its place.
        #expect(FileManager.default.contents(atPath: past.limits.path + ".corrupt")?.first == 0x55)
        await history.close()
    }

    @Test("is kept by one service at a time")
    func lock() async throws {
        let past = try Past()
        let history = try past.open()
        #expect(throws: HistoryError.self) { try past.open() }
        await history.close()
        withExtendedLifetime(history) {}
    }

    @Test("that another service has is refused, and no descriptor is closed that was opened elsewhere meanwhile")
    func refused() async throws {
        let past = try Past()
        let history = try past.open()
        let refusals = Task.detached { (0..<2_000).count { _ in (try? past.open()) == nil } }
        var lost = 0
        for _ in 0..<200_000 where close(open("/dev/null", O_RDONLY | O_CLOEXEC)) != 0 { lost += 1 }
        #expect(await refusals.value == 2_000)
        #expect(lost == 0)
        await history.close()
        withExtendedLifetime(history) {}
    }

    @Test("is taken over from a service that ends later than the next one begins, with all that came meanwhile")
    func succession() async throws {
        let past = try Past()
        let first = try past.open()
        first.put(past.note([("shop", .up)], isSnapshot: true))
        first.put(HistoryReading.Place(run: first.run, seq: 1), of: "reader")
        await first.flush(isUrgent: true)
        past.pass(1000)
        let snapshot = Mutex<HistoryNote?>(nil)
        let second = try past.open(whenUnusable: .wait, period: .milliseconds(20)) { snapshot.withLock { $0 } }
        #expect(second.run > first.run && second.mark(of: "reader") == .init(run: first.run, seq: 1))
        second.put(past.note([("shop", .down)], isSnapshot: true))
        snapshot.withLock { $0 = past.note([("shop", .down)], isSnapshot: true) }
        await second.flush(isUrgent: true)
        #expect(past.told.contains(.waiting(path: past.limits.path)))
        past.pass(500)
        await first.close()
        _ = try await arrival(of: "the file") { past.told.contains(.recovered(lost: 0)) ? true : nil }
        past.pass(700)
        let timeline = try await past.timeline(second, "shop")
        #expect(timeline.milliseconds(.up) == 1500 && timeline.milliseconds(.down) == 700)
        let events = try await second.read { [run = second.run] in
            try $0.events(after: .init(run: run, seq: 0), upTo: .init(run: run, seq: 9), limit: 9)
        }
        #expect(events.map(\.place.seq) == [1])
        #expect(throws: HistoryError.self) { try past.open() }
        await second.close()
    }

    @Test("that cannot be opened at first, for want of room or of its folder, is begun once it can, with all that came")
    func lateFolder() async throws {
        let past = try Past()
        try FileManager.default.removeItem(atPath: past.folder.path.string)
        let history = try past.open(whenUnusable: .wait, period: .milliseconds(20))
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        let failures = { past.told.count { if case .failing = $0 { true } else { false } } }
        _ = try await arrival(of: "the complaint") { failures() > 0 ? true : nil }
        past.pass(500)
        try FileManager.default.createDirectory(atPath: past.folder.path.string, withIntermediateDirectories: true)
        _ = try await arrival(of: "the file") { past.told.contains(.recovered(lost: 0)) ? true : nil }
        let events = try await history.read { [run = history.run] in
            try $0.events(after: .init(run: run, seq: 0), upTo: .init(run: run, seq: 9), limit: 9)
        }
        #expect(events.map(\.place.seq) == [1])
        #expect(failures() == 1, "\(past.told)")
        await history.close()
    }

    @Test("that comes late knows where its readers were; what one has gone on without is told")
    func lateMarks() async throws {
        let past = try Past()
        let first = try past.open()
        let old = HistoryReading.Place(run: first.run, seq: 480)
        for reader in ["begun", "absent", "ahead"] { first.put(old, of: reader) }
        await first.close()
        past.pass(5000)
        let (here, away) = (past.folder.path.string, past.folder.path.string + "-away")
        try FileManager.default.moveItem(atPath: here, toPath: away)
        defer { try? FileManager.default.removeItem(atPath: away) }
        let second = try past.open(whenUnusable: .wait, period: .milliseconds(20))
        #expect(second.run > first.run && second.mark(of: "begun") == nil)
        let new = HistoryReading.Place(run: second.run, seq: 3)
        for reader in ["begun", "ahead"] { second.put(.init(run: second.run, seq: 0), of: reader) }
        second.put(new, of: "ahead")
        try FileManager.default.moveItem(atPath: away, toPath: here)
        _ = try await arrival(of: "the file") { past.told.contains(.recovered(lost: 0)) ? true : nil }
        #expect(["begun", "absent", "ahead"].map { second.mark(of: $0) } == [old, old, new])
        let passedOver = past.told.filter { if case .passedOver = $0 { true } else { false } }
        #expect(passedOver == [.passedOver(reader: "ahead", after: old)])
        // One that begins as the file comes learns of it, and does not begin over it.
        #expect(second.put(.init(run: second.run, seq: 0), of: "absent") { $0 == nil } == old)
        #expect(second.mark(of: "absent") == old)
        await second.close()
        let third = try past.open()
        #expect(["begun", "absent", "ahead"].map { third.mark(of: $0) } == [old, old, new])
        await third.close()
    }

    @Test("that is removed while it is written to is begun anew, and told; so is its lock", arguments: [true, false])
    func removal(withLock: Bool) async throws {
        let past = try Past()
        let snapshot = Mutex<HistoryNote?>(nil)
        let history = try past.open(period: .milliseconds(20)) { snapshot.withLock { $0 } }
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        snapshot.withLock { $0 = past.note([("shop", .up)], isSnapshot: true) }
        // The database last: it is missed at once, and what is begun anew beside it is not to be removed.
        for ending in (withLock ? [".lock"] : []) + ["-wal", "-shm", ""] {
            try FileManager.default.removeItem(atPath: past.limits.path + ending)
        }
        _ = try await arrival(of: "the report") {
            past.told.contains { if case .gone = $0 { true } else { false } } ? true : nil
        }
        past.pass(100)
        history.put(past.note([("shop", .down)]))
        past.pass(300)
        #expect(try await past.timeline(history, "shop").milliseconds(.down) == 300)
        _ = try await arrival(of: "the lock") {
            FileManager.default.fileExists(atPath: past.limits.path + ".lock") ? true : nil
        }
        #expect(throws: HistoryError.self) { try past.open() }
        await history.close()
    }

    @Test("that is begun anew keeps the time of what comes while it is first written to")
    func firstWriting() async throws {
        let past = try Past()
        let history = try past.open(period: .milliseconds(20)) { past.snapshot.withLock { $0 } }
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        past.snapshot.withLock { $0 = past.note([("shop", .up)], isSnapshot: true) }
        past.reaction.withLock {
            $0 = { report in
                guard case .gone = report else { return }
                var first = past.note([])
                // It is made while the new file is written to, as slowly as a disk may be.
                first.line = {
                    past.pass(100)
                    let down = past.note([("shop", .down)])
                    past.snapshot.withLock { $0 = past.note([("shop", .down)], isSnapshot: true) }
                    history.put(down)
                    past.pass(300)
                    return Array("{}\n".utf8)
                }
                history.put(first)
            }
        }
        for ending in ["-wal", "-shm", ""] {
            try FileManager.default.removeItem(atPath: past.limits.path + ending)
        }
        _ = try await arrival(of: "the change") { past.milliseconds == Past.start + 400 ? true : nil }
        let timeline = try await past.timeline(history, "shop")
        #expect(timeline.milliseconds(.up) == 100 && timeline.milliseconds(.down) == 300, "\(timeline)")
        past.reaction.withLock { $0 = nil }
        await history.close()
    }

    @Test("is its owner's and its group's, whatever the umask allows")
    func mode() async throws {
        let past = try Past()
        let before = umask(0)
        let history = try past.open()
        umask(before)
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        for ending in ["", "-wal", "-shm", ".lock"] {
            let mode = try FilePath(past.limits.path + ending).stat().permissions.rawValue
            #expect(mode & 0o777 == 0o640, "\(ending) \(String(mode, radix: 8))")
        }
        await history.close()
    }

    @Test("stays within its size: a storm of events drives out the oldest of them, and nothing else")
    func size() async throws {
        let past = try Past(size: 1 << 20)
        let history = try past.open()
        history.put(past.note([("shop", .up)], isSnapshot: true))
        var sum = ProbeSum()
        sum.probes = 1
        history.put(sum, of: "shop", at: UInt64(past.now.wall))
        for round in 0..<800 {
            past.pass(10)
            history.put(past.note([], size: 4000))
            if round.isMultiple(of: 50) { await history.flush(isUrgent: true) }
        }
        await history.flush(isUrgent: true)
        let size = try FilePath(past.limits.path).stat().size
        #expect(size <= 1 << 20)
        #expect(try await past.timeline(history, "shop").milliseconds(.up) == 8000)
        let counts = try await history.read { reading in
            try (
                reading.transitions(10_000).count,
                reading.probes(of: "shop", since: Past.start, until: .max / 2, every: 60_000).count
            )
        }
        #expect((30...300).contains(counts.0) && counts.1 == 1, "\(counts)")
        #expect(!past.told.contains { if case .failing = $0 { true } else { false } })
    }

    @Test("gives up the oldest sums of probes before anything that tells what was up")
    func manyTargets() async throws {
        let past = try Past(size: 1 << 20)
        let history = try past.open()
        let names = (0..<200).map { "target \($0) with a name of some length" }
        history.put(past.note(names.map { ($0, .up) }, isSnapshot: true))
        var sum = ProbeSum()
        (sum.probes, sum.duration) = (4, 1_000_000)
        for _ in 0..<12 {
            for _ in 0..<30 {
                past.pass(60_000)
                for name in names { history.put(sum, of: name, at: UInt64(past.now.wall)) }
            }
            await history.flush(isUrgent: true)
        }
        await history.close()
        let again = try past.open()
        await again.flush(isUrgent: true)
        #expect(try FilePath(past.limits.path).stat().size <= 1 << 20)
        #expect(try await past.timeline(again, names[7]).milliseconds(.up) == 360 * 60_000)
        let points = try await again.read { [until = past.milliseconds] in
            try $0.probes(of: names[7], since: Past.start, until: until, every: 60_000)
        }
        #expect((2...359).contains(points.count), "\(points.count)")
    }

    @Test("goes on to write in one long run that tells more of targets than there is room for")
    func oneStretch() async throws {
        let past = try Past(size: 1 << 20)
        let history = try past.open()
        let names = (0..<200).map { "target \($0) with a name of some length" }
        history.put(past.note(names.map { ($0, .up) }, isSnapshot: true))
        for _ in 0..<40 {
            for status in [PastStatus.unknown, .up, .unknown, .up] {
                past.pass(60_000)
                history.put(past.note([], others: status))
            }
            await history.flush(isUrgent: true)
        }
        past.pass(60_000)
        history.put(past.note([(names[7], .down)]))
        past.pass(60_000)
        await history.flush(isUrgent: true)
        #expect(try await past.timeline(history, names[7]).milliseconds(.down) == 60_000)
        #expect(try FilePath(past.limits.path).stat().size <= 1 << 20)
        await history.close()
    }

    @Test("forgets what is too old, and knows what held since then")
    func age() async throws {
        let past = try Past(days: 1)
        let first = try past.open()
        first.put(past.note([("shop", .up), ("old", .up)], isSnapshot: true))
        past.pass(86_400_000)
        first.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(86_400_000 * 2)
        await first.flush(isUrgent: true)
        await first.close()
        let second = try past.open()
        second.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(1000)
        await second.flush(isUrgent: true)
        let end = past.milliseconds
        let day = try await past.timeline(second, "shop", since: end - 86_400_000)
        #expect(day.milliseconds(.up) == 86_400_000)
        let events = try await second.read { try $0.transitions(10).count }
        #expect(events == 1)
    }

    @Test("is not thrown away by a clock that is a year ahead at a start, and is pruned once it is believed")
    func clockAhead() async throws {
        let past = try Past(days: 90)
        let first = try past.open()
        first.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(3_600_000)
        await first.flush(isUrgent: true)
        await first.close()
        past.set(by: 365 * 86_400_000)
        let second = try past.open(period: .milliseconds(20))
        second.put(past.note([("shop", .up)], isSnapshot: true))
        await second.flush(isUrgent: true)
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await second.read { try $0.transitions(10).count } == 2)
        past.pass(2 * 86_400_000)
        await second.flush(isUrgent: true)
        _ = try await arrival(of: "the pruning") {
            try await second.read { try $0.transitions(10).count } == 1 ? true : nil
        }
        await second.close()
    }

    @Test("forgets what a clock told that was a year ahead, once the one that was set back has gone on for a day")
    func clockSetBack() async throws {
        let past = try Past(days: 90)
        let (hour, day): (Int64, Int64) = (3_600_000, 86_400_000)
        let first = try past.open()
        first.put(past.note([("shop", .down)], isSnapshot: true))
        past.pass(hour)
        past.set(by: 365 * day)
        let ahead = past.milliseconds
        first.put(past.note([("shop", .unknown)]))
        var sum = ProbeSum()
        sum.probes = 1
        first.put(sum, of: "shop", at: UInt64(past.now.wall))
        past.pass(hour)
        first.put(past.note([("shop", .up)]))
        past.pass(hour)
        await first.flush(isUrgent: true)
        past.set(by: -365 * day)
        await first.flush(isUrgent: true)
        past.pass(hour)
        await first.close()
        let second = try past.open(period: .milliseconds(20))
        second.put(past.note([("shop", .up)], isSnapshot: true))
        past.pass(hour)
        await second.flush(isUrgent: true)
        let count: @Sendable (HistoryReading) throws -> [Int] = { reading in
            let future = try reading.past(since: ahead - day, until: ahead + day, target: "shop").first?.timeline
            let unknown = future?.milliseconds(.unknown) ?? 0
            let sums = try reading.probes(of: "shop", since: ahead - day, until: ahead + day, every: 60_000).count
            return try [reading.transitions(10).count, sums, unknown == 2 * day ? 0 : 1]
        }
        try await Task.sleep(for: .milliseconds(200))
        #expect(try await second.read(count) == [4, 1, 1])
        past.pass(day)
        await second.flush(isUrgent: true)
        _ = try await arrival(of: "the pruning") { try await second.read(count) == [2, 0, 0] ? true : nil }
        // What held when the clock was set back has held from then on, though it was told ahead.
        let timeline = try await past.timeline(second, "shop")
        #expect(timeline.milliseconds(.down) == hour, "\(timeline)")
        #expect(timeline.milliseconds(.up) == past.milliseconds - Past.start - 3 * hour, "\(timeline)")
        await second.close()
    }

    @Test("writes all that waited, though there is not room for it at once")
    func portions() async throws {
        let past = try Past(size: 1 << 20)
        let history = try past.open()
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        for _ in 0..<400 { history.put(past.note([], size: 8000)) }
        history.put(past.note([("shop", .down)]))
        await history.flush(isUrgent: true)
        past.pass(1000)
        #expect(try await past.timeline(history, "shop").milliseconds(.down) == 1000)
        #expect(!past.told.contains { if case .failing = $0 { true } else { false } }, "\(past.told)")
        await history.close()
    }

    @Test("knows whether the events between two places are whole, over runs too, and hands them out in order")
    func events() async throws {
        let past = try Past()
        let first = try past.open()
        for number in 1...5 { first.put(past.note([], isSnapshot: number == 1)) }
        await first.close()
        past.pass(1000)
        let second = try past.open()
        for number in 1...3 { second.put(past.note([], isSnapshot: number == 1)) }
        _ = past.note([])
        second.put(past.note([]))
        await second.flush(isUrgent: true)
        let (one, two) = (first.run, second.run)
        func isWhole(_ from: (UInt64, UInt64), _ to: (UInt64, UInt64), most: Int = 100) async throws -> Bool {
            try await second.read {
                try $0.isWhole(after: .init(run: from.0, seq: from.1), upTo: .init(run: to.0, seq: to.1), most: most)
            }
        }
        #expect(try await isWhole((one, 2), (two, 3)))
        #expect(
            try await isWhole((one, 6), (two, 3)), "a reader may know more than the history of a run that was killed")
        #expect(try await isWhole((two, 1), (two, 3)))
        let partial: [((UInt64, UInt64), (UInt64, UInt64))] = [
            ((one, 2), (two, 5)), ((one - 1, 2), (two, 3)), ((two, 3), (two, 3)), ((two, 4), (two, 9)),
        ]
        for (from, to) in partial {
            #expect(try await !isWhole(from, to))
        }
        #expect(try await !isWhole((one, 2), (two, 3), most: 5))
        let events = try await second.read {
            try $0.events(after: .init(run: one, seq: 3), upTo: .init(run: two, seq: 2), limit: 9)
        }
        #expect(events.map(\.place.seq) == [4, 5, 1, 2])
        #expect(
            events.map { String(decoding: $0.line.prefix(9), as: UTF8.self) } == [4, 5, 1, 2].map { "{\"seq\":\($0)}" })
    }

    @Test(
        "is read without its log only where nothing can be made beside it and no log is there",
        arguments: [false, true])
    func still(hasLog: Bool) async throws {
        let past = try Past()
        try await past.open().close()
        let folder = past.folder.path.string
        #expect(!HistorySchema.liesStill(past.limits.path))
        if hasLog { _ = try past.folder.write([UInt8](), to: "h.db-wal") }
        #expect(chmod(folder, 0o555) == 0)
        defer { chmod(folder, 0o755) }
        // Root may write anywhere.
        #expect(HistorySchema.liesStill(past.limits.path) == (getuid() != 0 && !hasLog))
        guard !hasLog else { return }
        #expect(throws: Never.self) { try HistoryReading(past.limits.path).transitions(1) }
    }

    @Test("leaves out what it has no room for, says so, and knows the state again afterwards")
    func loss() async throws {
        let past = try Past()
        let after = Mutex<HistoryNote?>(nil)
        let history = try past.open { after.withLock { $0 } }
        history.put(past.note([("shop", .up)], isSnapshot: true))
        await history.flush(isUrgent: true)
        past.pass(1000)
        after.withLock { $0 = past.note([("shop", .down)], isSnapshot: true) }
        for _ in 0..<20_000 { history.put(past.note([])) }
        await history.flush(isUrgent: true)
        await history.flush(isUrgent: true)
        past.pass(1000)
        let timeline = try await past.timeline(history, "shop")
        let lost = past.told.reduce(UInt64(0)) { sum, report in
            if case .recovered(let lost) = report { sum + lost } else { sum }
        }
        // Where the writer kept up with all of them nothing was lost, and nothing was stated anew.
        #expect(timeline.milliseconds(.down) == (lost > 0 ? 1000 : 0), "\(lost)")
    }
}
