import EventLoop
import NetworkAddress
import Testing

@testable import Evidence

/// Histories of one way, in seconds.
@Suite("A way is alive, suspected or dead")
struct WayStateTests {
    enum Step: Sendable {
        case heard(sentAt: Double)
        case late(sentAt: Double, now: Double)
        case die(Double)
        case reset
    }

    struct History: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let steps: [Step]
        var suspected: Double?
        var isDead = false
        var generation = 0
    }

    static let histories = [
        History(testDescription: "nothing is known of a new one", steps: []),
        History(testDescription: "one that is heard is not suspected", steps: [.heard(sentAt: 1)]),
        History(
            testDescription: "one late that was asked before somebody was heard says nothing",
            steps: [.heard(sentAt: 2), .late(sentAt: 1, now: 3)]),
        History(
            testDescription: "one late that was asked after raises a suspicion",
            steps: [.heard(sentAt: 1), .late(sentAt: 2, now: 3)], suspected: 2),
        History(
            testDescription: "a second one changes nothing of it",
            steps: [.heard(sentAt: 1), .late(sentAt: 2, now: 3), .late(sentAt: 2.5, now: 3.5)], suspected: 2),
        History(
            testDescription: "somebody asked later who is heard ends it",
            steps: [.late(sentAt: 2, now: 3), .heard(sentAt: 3)]),
        History(
            testDescription: "somebody asked before does not", steps: [.late(sentAt: 2, now: 3), .heard(sentAt: 1)],
            suspected: 2),
        History(testDescription: "the late one itself ends it", steps: [.late(sentAt: 2, now: 3), .heard(sentAt: 2)]),
        History(testDescription: "one that dies is dead", steps: [.late(sentAt: 2, now: 3), .die(5)], isDead: true),
        History(
            testDescription: "a word asked for before the suspicion does not revive it",
            steps: [.late(sentAt: 2, now: 3), .die(5), .heard(sentAt: 2)], isDead: true),
        History(
            testDescription: "one asked for since does, and all is to be found anew",
            steps: [.late(sentAt: 2, now: 3), .die(5), .heard(sentAt: 6)], generation: 1),
        History(
            testDescription: "another way of the same name begins anew", steps: [.late(sentAt: 2, now: 3), .reset],
            generation: 1),
    ]

    @Test("a history", arguments: histories)
    func history(_ history: History) {
        var way = WayState(Way(interface: "eth0"))
        for step in history.steps { take(step, &way) }
        #expect(way.suspected == history.suspected.map(time))
        #expect(way.isDead == history.isDead)
        #expect(way.generation == history.generation)
        #expect((way.round != nil) == (history.suspected != nil))
    }

    private func take(_ step: Step, _ way: inout WayState) {
        switch step {
        case .heard(let sentAt): _ = way.hear(sentAt: time(sentAt))
        case .late(let sentAt, let now):
            _ = way.suspect(since: time(sentAt), wait: Rules.round, rows: 1, accused: [], at: time(now))
        case .die(let now): way.die(.uplink, at: time(now))
        case .reset: way.reset()
        }
    }

    @Test("a dead one is asked after 1, 2, 4, 5 and 5 seconds: five hosts a step until fifty were asked, then one")
    func rotation() {
        var way = WayState(Way(interface: "eth0"))
        way.die(.uplink, at: time(0))
        var (waits, counts, last) = ([Duration](), [Int](), time(0))
        for _ in 0..<12 {
            guard let due = way.rotationDue else { break }
            waits.append(due - last)
            counts.append(way.rotate(at: due))
            last = due
        }
        #expect(waits.prefix(6) == [.seconds(1), .seconds(2), .seconds(4), .seconds(5), .seconds(5), .seconds(5)])
        #expect(counts == Array(repeating: 5, count: 10) + [1, 1])
    }
}

@Suite("A round of questions")
struct RoundTests {
    private let address = IPAddress.v4(IPv4Address(rawValue: 1))

    private func round(rows: Int = 1) -> Round { Round(at: time(10), wait: Rules.round, rows: rows, accused: []) }

    @Test("five at once, five after half a second, and 1.6 seconds after it began it is over")
    func times() {
        var round = round()
        #expect(isAsking(round.step(at: time(10))))
        round.add(address, isCredible: true)
        #expect(round.due == time(10.5))
        #expect(isAsking(round.step(at: time(10.5))))
        #expect(round.due == time(11.6))
        #expect(round.step(at: time(11.5)) == nil)
        #expect(isEnd(round.step(at: time(11.6))))
    }

    @Test("where all say that it cannot be reached, the same ones are asked again, and then it is over at once")
    func told() {
        var round = round()
        _ = round.step(at: time(10))
        round.add(address, isCredible: true)
        round.tell(at: time(10.1))
        #expect(round.due == time(10.5))
        _ = round.step(at: time(10.5))
        #expect(round.asked.isEmpty)
        round.add(address, isCredible: true)
        round.tell(at: time(10.6))
        #expect(isEnd(round.step(at: time(10.6))))
    }

    @Test("what was slow or late says nothing of the way that takes its place")
    func another() {
        var state = WayState(Way(interface: "eth0", family: .ipv4))
        (state.slowUntil, state.lateAt, state.trafficHeard) = (time(70), time(10), time(10))
        for _ in 0..<3 { state.contrast(isHeard: false, at: time(10)) }
        state.contrast(isHeard: true, at: time(10))
        state.reset()
        #expect(state.slowUntil == nil && state.lateAt == nil && state.trafficHeard == nil)
        #expect(state.missed(at: time(10)) == 0)
    }

    @Test("a way that loses packets is asked in a second row before it is dead")
    func rows() {
        var round = round(rows: 2)
        for now in [10, 10.5, 11.6] { #expect(isAsking(round.step(at: time(now)))) }
        #expect(isAsking(round.step(at: time(12.1))))
        #expect(isEnd(round.step(at: time(13.2))))
        #expect(Assessor.rows(0) == 1)
        #expect(Assessor.rows(0.2) == 2)
        #expect(Assessor.rows(0.75) > 2)
    }

    private func isAsking(_ step: Round.Step?) -> Bool { if case .ask(5)? = step { true } else { false } }
    private func isEnd(_ step: Round.Step?) -> Bool { if case .end? = step { true } else { false } }
}

func time(_ seconds: Double) -> MonotonicTime { MonotonicTime(nanoseconds: UInt64(seconds * 1e9)) }
