import Evidence
import Foundation
import TestSupport
import Testing

/// What holds whatever happens, in whatever order. Each seed is one history of 400 inputs.
@Suite("Properties of the model", .computation)
struct PropertyTests {
    /// 10,000 inputs; `NETWATCH_PROPERTY_INPUTS` asks for more.
    static let seeds: [UInt64] = {
        let wanted = ProcessInfo.processInfo.environment["NETWATCH_PROPERTY_INPUTS"].flatMap(UInt64.init) ?? 10_000
        return Array(1...max(wanted / 400, 1))
    }()

    @Test("announcements are numbered without a gap, and no two in a row tell the same", arguments: seeds)
    func sequence(seed: UInt64) {
        var history = RandomHistory(seed: seed)
        for _ in 0..<400 { history.step() }
        #expect(history.announcements.first.map { $0.sequence == 1 } ?? true)
        for (before, after) in zip(history.announcements, history.announcements.dropFirst()) {
            #expect(after.sequence == before.sequence + 1)
            // After another way out, or time in which nothing was looked at, nothing counts as told.
            guard after.from != nil else { continue }
            #expect(after.from == before.verdict)
            #expect(after.verdict != before.verdict || !after.changes.isEmpty || after.flaps != nil)
        }
    }

    @Test("no verdict is better than the evidence", arguments: seeds)
    func evidence(seed: UInt64) {
        var history = RandomHistory(seed: seed)
        for _ in 0..<400 {
            let count = history.announcements.count
            history.step()
            guard history.announcements.count > count, let told = history.announcements.last else { continue }
            if told.verdict.status == .full { #expect(history.up > 0) }
            #expect((told.verdict.status == .full) == (told.verdict.culprit == nil) || told.verdict.status == .unknown)
            for change in told.changes where change.health.status == .down { #expect(change.health.culprit != nil) }
        }
    }

    @Test("a stable world reaches a stable verdict, whatever came before", arguments: seeds)
    func stable(seed: UInt64) {
        var history = RandomHistory(seed: seed)
        for _ in 0..<400 { history.step() }
        history.settle(.seconds(240))
        #expect(history.announcements.last?.verdict.status == .full)
        #expect(history.up == 4)
        let count = history.announcements.count
        history.settle(.seconds(120))
        #expect(history.announcements.count == count)
    }

    @Test("the same inputs give the same announcements", arguments: seeds.prefix(5))
    func replay(seed: UInt64) {
        var (first, second) = (RandomHistory(seed: seed), RandomHistory(seed: seed))
        for _ in 0..<400 {
            first.step()
            second.step()
        }
        #expect(first.announcements.map(\.verdict) == second.announcements.map(\.verdict))
        #expect(first.announcements.map(\.time) == second.announcements.map(\.time))
    }
}
