import EventLoop
import Testing

@testable import Reachability

@Suite("The rounds in which drivers are asked for their carrier")
struct CarrierRoundsTests {
    private static let start = MonotonicTime(nanoseconds: 1_000_000_000)

    private func question(_ number: UInt64, lost: Set<UInt32> = []) -> CarrierQuestion {
        CarrierQuestion(number: number, links: [.init(index: 7, name: "up0")], lost: lost) { _, _ in }
    }

    /// Rounds that were opened at the start and have been asked a question.
    private func rounds(_ question: CarrierQuestion, pollInterval: Duration? = nil) -> CarrierRounds {
        var rounds = CarrierRounds(CarrierWatch(pollInterval: pollInterval))
        rounds.watch.open(Self.start)
        let turn = rounds.follow(question, at: Self.start)
        #expect(turn?.time == Self.start)
        _ = turn.flatMap { rounds.begin($0) }
        return rounds
    }

    @Test("nothing is asked while nothing has happened, and nothing of no links")
    func closed() {
        var rounds = CarrierRounds(CarrierWatch())
        let closed = rounds.follow(question(1), at: Self.start)
        #expect(closed == nil)
        rounds.watch.open(Self.start)
        let empty = rounds.follow(CarrierQuestion(number: 2, links: [], lost: []) { _, _ in }, at: Self.start)
        #expect(empty == nil)
        #expect(rounds.isSettled)
    }

    @Test("the same answer is told to nobody, and asked for again until a second has passed")
    func quiet() {
        let asked = question(1)
        var rounds = rounds(asked)
        #expect(!rounds.isSettled)
        let first = rounds.conclude(asked, [7: true], from: Self.start, to: Self.start)
        #expect(first.next?.time == Self.start.advanced(by: .milliseconds(10)))
        #expect(first.outcome == nil)
        #expect(rounds.isSettled && rounds.isUnderWay)
        let end = Self.start.advanced(by: .milliseconds(1100))
        let last = rounds.conclude(asked, [7: true], from: end, to: end)
        #expect(last.next == nil)
        #expect(!rounds.isUnderWay)
    }

    @Test("a lost carrier is told once, and the next question is awaited")
    func news() {
        let asked = question(1)
        var rounds = rounds(asked)
        let outcome = rounds.conclude(asked, [7: false], from: Self.start, to: Self.start)
        #expect(outcome.next == nil)
        #expect(outcome.outcome == .carriers([7: false]))
        #expect(!rounds.isSettled)
        rounds.isAnswerUnderWay = false
        #expect(rounds.isSettled)
        let next = rounds.follow(question(2, lost: [7]), at: Self.start)
        #expect(next?.time == Self.start.advanced(by: .milliseconds(5)))
    }

    @Test("an answer to a question that was replaced meanwhile is no news")
    func replaced() {
        let asked = question(1)
        var rounds = rounds(asked)
        let during = rounds.follow(question(2), at: Self.start)
        #expect(during == nil)
        let outcome = rounds.conclude(asked, [7: false], from: Self.start, to: Self.start)
        #expect(outcome.outcome == nil)
        let begun = outcome.next.flatMap { rounds.begin($0) }
        #expect(begun?.number == 2)
    }

    @Test("links that come into use are asked about before the next round is due, and that round is left out")
    func sooner() throws {
        let asked = question(1)
        var rounds = rounds(asked)
        let due = rounds.conclude(asked, [7: true], from: Self.start, to: Self.start).next
        let now = Self.start.advanced(by: .milliseconds(7))
        let sooner = rounds.follow(question(2), at: now)
        #expect(sooner?.time == now)
        let late = rounds.begin(try #require(due))
        #expect(late == nil)
        let begun = rounds.begin(try #require(sooner))
        #expect(begun?.number == 2)
    }

    @Test("a driver that the kernel does not follow is believed for five seconds")
    func disputed() {
        let asked = question(1, lost: [7])
        var rounds = rounds(asked)
        let later = Self.start.advanced(by: .milliseconds(4900))
        let before = rounds.conclude(asked, [7: false], from: later, to: later)
        #expect(before.outcome == nil)
        let end = Self.start.advanced(by: .seconds(5))
        let outcome = rounds.conclude(asked, [7: false], from: end, to: end)
        #expect(outcome.next == nil)
        #expect(outcome.outcome == .disputed(Set(asked.links)))
    }

    @Test(
        "nor is it believed for longer while other links have events, or with an interval of its own",
        arguments: [nil, Duration.milliseconds(50)])
    func disputedAmidEvents(pollInterval: Duration?) {
        let asked = question(1, lost: [7])
        var rounds = rounds(asked, pollInterval: pollInterval)
        for second in 1...4 {
            let now = Self.start.advanced(by: .seconds(second))
            rounds.open(now)
            let outcome = rounds.conclude(asked, [7: false], from: now, to: now)
            #expect(outcome.next?.time == now.advanced(by: .milliseconds(10)))
            #expect(outcome.outcome == nil)
        }
        let end = Self.start.advanced(by: .seconds(5))
        let outcome = rounds.conclude(asked, [7: false], from: end, to: end)
        #expect(outcome.outcome == .disputed(Set(asked.links)))
    }

    @Test("with an interval of its own the asking goes on for ever")
    func polling() {
        let asked = question(1)
        var rounds = rounds(asked, pollInterval: .milliseconds(50))
        let later = Self.start.advanced(by: .seconds(60))
        let outcome = rounds.conclude(asked, [7: true], from: later, to: later)
        #expect(outcome.next?.time == later.advanced(by: .milliseconds(50)))
    }

    @Test("after an event the drivers are asked before the next round of such an interval, which is left out")
    func betweenPolls() throws {
        let asked = question(1)
        var rounds = rounds(asked, pollInterval: .seconds(60))
        let later = Self.start.advanced(by: .seconds(2))
        let poll = rounds.conclude(asked, [7: true], from: later, to: later).next
        #expect(poll?.time == later.advanced(by: .seconds(60)))
        let now = later.advanced(by: .seconds(1))
        rounds.open(now)
        #expect(!rounds.isUnderWay, "the monitor puts its question anew")
        let sooner = rounds.follow(question(2), at: now)
        #expect(sooner?.time == now)
        let late = rounds.begin(try #require(poll))
        #expect(late == nil)
    }

    @Test("drivers that take long are asked more seldom")
    func slow() {
        let asked = question(1)
        var rounds = rounds(asked)
        let end = Self.start.advanced(by: .milliseconds(2))
        let outcome = rounds.conclude(asked, [7: true], from: Self.start, to: end)
        #expect(outcome.next?.time == end.advanced(by: .milliseconds(100)))
    }
}
