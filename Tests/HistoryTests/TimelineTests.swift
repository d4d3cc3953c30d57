import TestSupport
import Testing

@testable import History

@Suite("What something was, millisecond by millisecond")
struct TimelineTests {
    /// A host whose clocks go, stop and are set as chance has it, and a program on it that is killed now and then.
    private struct Life {
        var random: SeededGenerator
        var stamp = Stamp(wall: 1_000_000_000_000, monotonic: 5_000_000_000, boot: 5_000_000_000)
        var keeper: TimeKeeper?
        var run: Int64 = 0
        var stretches: [StoredStretch] = []
        var rows: [StatusRow] = []
        /// What is right, by wall-clock millisecond.
        var truth: [Int64: PastStatus] = [:]
        var status = PastStatus.unknown

        mutating func begin() {
            run += 1
            status = .unknown
            let keeper = TimeKeeper(at: stamp)
            self.keeper = keeper
            store(keeper.current)
        }

        private mutating func store(_ stretch: Stretch) {
            stretches.append(StoredStretch(id: Int64(stretches.count + 1), run: run, stretch: stretch))
        }

        mutating func look() {
            guard var keeper else { return }
            let ended = keeper.advance(to: stamp)
            if let first = ended.first {
                stretches[stretches.count - 1].stretch.until = first.until
                for stretch in ended.dropFirst() + [keeper.current] { store(stretch) }
            }
            stretches[stretches.count - 1].stretch.until = keeper.current.until
            self.keeper = keeper
        }

        mutating func pass(_ milliseconds: Int64, _ status: PastStatus, isAwake: Bool = true) {
            for offset in 0..<milliseconds { truth[stamp.wall / 1_000_000 + offset] = status }
            stamp.wall += milliseconds * 1_000_000
            stamp.boot += milliseconds * 1_000_000
            if isAwake { stamp.monotonic += milliseconds * 1_000_000 }
        }

        mutating func change() {
            look()
            status = [.up, .down, .unknown].randomElement(using: &random) ?? .up
            rows.append(
                StatusRow(
                    run: run, stretch: Int64(stretches.count), time: stamp.wall / 1_000_000, status: status))
        }

        /// The program is killed, and later another one begins.
        mutating func die() {
            look()
            keeper = nil
            // Of this time nothing is known but what was there before a clock was set back.
            let absence = Int64.random(in: 0...500, using: &random) * 1_000_000
            stamp = Stamp(
                wall: stamp.wall + absence, monotonic: stamp.monotonic + absence, boot: stamp.boot + absence)
            begin()
        }

        mutating func step() {
            switch Int.random(in: 0..<10, using: &random) {
            case 0...3: pass(Int64.random(in: 1...400, using: &random), status)
            case 4...5: change()
            case 6:
                look()
                // The clock is set: the program learns of it with the next look.
                stamp.wall += Int64.random(in: -1000...1000, using: &random) * 1_000_000
                setClock()
            case 7:
                look()
                pass(Int64.random(in: 101...600, using: &random), .suspended, isAwake: false)
                look()
            case 8: die()
            default: look()
            }
        }

        /// Steps that are smaller than the tolerance are taken for the passing of time, and are not made here.
        private mutating func setClock() {
            let offset = stamp.wall - stamp.boot - (lastOffset ?? 0)
            if abs(offset) <= 150_000_000 { stamp.wall -= offset }
            lastOffset = stamp.wall - stamp.boot
            look()
        }
        var lastOffset: Int64? = 1_000_000_000_000 - 5_000_000_000
    }

    @Test(
        "is right over clock steps, suspends, restarts and kills, and sums up to the wall clock's time",
        arguments: 1...40)
    func truth(seed: Int) {
        var life = Life(random: SeededGenerator(seed: UInt64(seed)))
        life.begin()
        for _ in 0..<120 { life.step() }
        life.look()
        let end = life.stamp.wall / 1_000_000
        let begin = (life.truth.keys.min() ?? end) - 100
        let timeline = Timeline(since: begin, until: end, stretches: life.stretches, rows: life.rows)
        let total = PastStatus.allCases.reduce(0) { $0 + timeline.milliseconds($1) }
        #expect(total == end - begin)
        #expect(
            zip(timeline.spans, timeline.spans.dropFirst()).allSatisfy {
                $0.until == $1.since && $0.status != $1.status
            })
        var wrong = 0
        for span in timeline.spans {
            for time in span.since..<span.until where life.truth[time, default: .unknown] != span.status { wrong += 1 }
        }
        #expect(wrong == 0, "of \(end - begin)")
    }

    @Test("joins neighbours, and lets the later word count")
    func painting() {
        var timeline = Timeline(since: 0, until: 100)
        timeline.paint(since: -50, until: 10, .up)
        timeline.paint(since: 10, until: 60, .up)
        timeline.paint(since: 20, until: 30, .down)
        timeline.paint(since: 90, until: 500, .suspended)
        #expect(timeline.spans.map(\.since) == [0, 20, 30, 60, 90])
        #expect(timeline.spans.map(\.status) == [.up, .down, .up, .unknown, .suspended])
        timeline.paint(since: 0, until: 100, .up)
        #expect(timeline.spans.count == 1 && timeline.milliseconds(.up) == 100)
    }

    @Test("a time without length is nothing")
    func nothing() {
        var timeline = Timeline(since: 5, until: 5)
        timeline.paint(since: 0, until: 10, .up)
        #expect(timeline.spans.isEmpty)
    }
}
