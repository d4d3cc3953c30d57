import EventLoop
import Testing

@testable import Reachability

@Suite("The pace of evaluations")
struct EvaluationPaceTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    /// A pace that has looked at the same so often.
    private func pace(fruitless count: Int) -> EvaluationPace {
        var pace = EvaluationPace()
        for _ in 0..<count { pace.concluded(Self.start, isNews: false) }
        return pace
    }

    @Test("the first change is looked at at once, whatever it is about", arguments: [true, false])
    func first(isPressing: Bool) {
        var pace = EvaluationPace()
        #expect(pace.due(Self.start, isPressing: isPressing) == Self.start)
    }

    @Test(
        "news of other links is looked at ever more seldom while it brings nothing, up to a limit",
        arguments: [(0, 0), (1, 1), (2, 2), (3, 4), (5, 16), (7, 64), (50, 64)])
    func other(count: Int, milliseconds: Int) {
        var pace = pace(fruitless: count)
        #expect(pace.due(Self.start, isPressing: false) == Self.start.advanced(by: .milliseconds(milliseconds)))
    }

    @Test("news of the path is looked at at once, and then again as soon as on a quiet host")
    func pressing() {
        var pace = pace(fruitless: 50)
        #expect(pace.due(Self.start) == Self.start)
        #expect(pace.nextConfirmation(Self.start) == Self.start.advanced(by: .milliseconds(1)))
    }

    @Test("a change of the path has other links looked at as soon as on a quiet host")
    func news() {
        var pace = pace(fruitless: 50)
        pace.concluded(Self.start, isNews: true)
        #expect(pace.due(Self.start, isPressing: false) == Self.start)
    }

    @Test(
        "news gathers unread only in a storm, and never so long that it fills the queue",
        arguments: [(0, 8 << 20, nil), (5, 8 << 20, nil), (6, 8 << 20, 4000), (50, 100_000, 300)])
    func gathering(count: Int, queue: Int, microseconds: Int?) {
        #expect(pace(fruitless: count).rest(queue: queue) == microseconds.map { .microseconds($0) })
    }

    @Test("news of the path ends the gathering")
    func gatheringEnds() {
        var pace = pace(fruitless: 50)
        _ = pace.due(Self.start)
        #expect(pace.rest(queue: 8 << 20) == nil)
    }

    @Test("news of the path waits no longer than the latest look has taken, and news of others four times as long")
    func weight() {
        var pace = EvaluationPace()
        let end = Self.start.advanced(by: .milliseconds(3))
        pace.evaluated(from: Self.start, to: end)
        #expect(pace.due(end) == end.advanced(by: .milliseconds(3)))
        pace = EvaluationPace()
        pace.evaluated(from: Self.start, to: end)
        #expect(pace.due(end, isPressing: false) == end.advanced(by: .milliseconds(12)))
    }

    @Test("after the last confirmation it begins anew")
    func quiet() {
        var pace = pace(fruitless: 50)
        while pace.nextConfirmation(Self.start) != nil {}
        #expect(pace.due(Self.start, isPressing: false) == Self.start)
    }

    @Test("what cannot be looked at is tried again, each second in the end")
    func failures() {
        var pace = EvaluationPace()
        let confirmations = EvaluationPace.confirmations.map { _ in pace.nextAttempt(Self.start) }
        #expect(confirmations == EvaluationPace.confirmations.map { Self.start.advanced(by: $0) })
        let later = (0..<10).map { _ in pace.nextAttempt(Self.start) }
        #expect(later.allSatisfy { $0 == Self.start.advanced(by: .seconds(1)) })
    }

    @Test("a confirmation is never sooner than the next change would be looked at")
    func confirmation() {
        var pace = pace(fruitless: 50)
        #expect(pace.nextConfirmation(Self.start) == Self.start.advanced(by: EvaluationPace.leisure))
    }

    /// A pace that has seen so many readings of other links' news in each of these tenths of a second.
    private func pace(readings: [Int]) -> (EvaluationPace, end: MonotonicTime) {
        var pace = EvaluationPace()
        var now = Self.start
        for count in readings {
            for _ in 0..<count {
                _ = pace.due(now, isPressing: false)
                now = now.advanced(by: .milliseconds(100) / count)
            }
            now = now.advanced(by: .milliseconds(1))
        }
        _ = pace.due(now, isPressing: false)
        return (pace, now)
    }

    @Test(
        "a storm lasts while news comes more seldom for being gathered, and a few messages are none",
        arguments: [([10, 10, 10], false), ([20, 10, 10], true), ([20, 10, 7], true), ([20, 10, 4], false)])
    func storm(readings: [Int], isOn: Bool) {
        var (pace, end) = pace(readings: readings)
        #expect((pace.rest(queue: 8 << 20) != nil) == isOn)
        pace.concluded(end, isNews: true)
        let confirmation = pace.nextConfirmation(end).map { end.duration(to: $0) }
        #expect(confirmation == (isOn ? .milliseconds(64) : .milliseconds(1)))
    }
}
