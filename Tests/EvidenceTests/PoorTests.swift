import EventLoop
import Testing

@testable import Evidence

@Suite("How a way is found to lose packets, or to be slow")
struct PoorTests {
    @Test("loss at three different times of the last minute is loss")
    func lossy() {
        var meter = LossMeter()
        for second in 0..<30 { meter.note(lost: second % 8 == 0 ? 1 : 0, of: 2, by: 1, at: time(Double(second))) }
        #expect(meter.isLossy)
        #expect(meter.loss(at: time(30)) > 0.05)
    }

    @Test(
        "loss goes on while it does, however many exchanges there are in a second, and is over half a minute after it",
        arguments: [4, 160])
    func steady(perSecond: Int) {
        var meter = LossMeter()
        var random = SplitMix64(seed: 7)
        for number in 0..<90 * perSecond {
            let isLost = Double.random(in: 0..<1, using: &random) < 0.12
            let second = Double(number) / Double(perSecond)
            meter.note(lost: isLost ? 1 : 0, of: 2, by: number % 20, at: time(second))
            if second > 45 { #expect(meter.isLossy, "in second \(second)") }
        }
        for number in 0..<60 * perSecond {
            let isLost = perSecond > 100 && Double.random(in: 0..<1, using: &random) < 0.01
            meter.note(
                lost: isLost ? 1 : 0, of: 2, by: number % 20, at: time(90 + Double(number) / Double(perSecond)))
        }
        #expect(!meter.isLossy)
    }

    @Test("one blip is none, however much is lost in it")
    func blip() {
        var meter = LossMeter()
        for second in 0..<30 {
            for _ in 0..<3 { meter.note(lost: second == 12 ? 2 : 0, of: 2, by: 1, at: time(Double(second))) }
        }
        #expect(!meter.isLossy)
    }

    @Test("loss at two times is none, whatever seconds they fall into: a connection is tried for seven seconds")
    func spells() {
        for begin in 0..<10 {
            var meter = LossMeter()
            for second in 0..<40 {
                let isLost = (0..<4).contains(second) || (16..<20).contains(second)
                meter.note(lost: isLost ? 1 : 0, of: 2, by: 1, at: time(Double(begin + second)))
            }
            #expect(!meter.isLossy)
        }
    }

    @Test("what was sent over a dead way is no loss: a line that was dead now and then is well in between")
    func outages() {
        var meter = LossMeter()
        for second in 0..<60 {
            let isOut = second % 10 < 5
            meter.note(lost: isOut ? 2 : 0, of: 2, by: 1, isOutage: isOut, at: time(Double(second)))
        }
        #expect(!meter.isLossy)
    }

    @Test("what one host of four loses, or two, is their own loss, and not the way's", arguments: [1, 2, 3])
    func someHosts(losers: Int) {
        var meter = LossMeter()
        for second in 0..<60 {
            for host in 1...4 {
                let isLost = host <= losers && (second + host) % 2 == 0
                meter.note(lost: isLost ? 1 : 0, of: 2, by: host, at: time(Double(second)))
                if losers < 3 { #expect(!meter.isLossy, "in second \(second)") }
            }
        }
        #expect(meter.isLossy == (losers > 2))
        #expect((meter.loss(at: time(60)) > 0.05) == (losers > 2))
        #expect(meter.loss(to: [1], at: time(60)) > 0.2)
        #expect((meter.loss(to: [4], at: time(60)) > 0.05) == (losers > 2))
    }

    @Test("a way that loses a tenth takes it from all of twenty hosts, of which none is taken for the one that loses")
    func alike() {
        var (meter, share) = (LossMeter(), LossShare())
        var random = SplitMix64(seed: 7)
        for number in 0..<600 {
            let isLost = Double.random(in: 0..<1, using: &random) < 0.1
            meter.note(lost: isLost ? 1 : 0, of: 2, by: number % 20, at: time(Double(number) / 10))
            if number >= 200 { share.note(isLossy: isLost, by: number % 20) }
        }
        #expect(meter.isLossy)
        #expect(share.losers(below: 0.5) == [])
    }

    @Test("two busy servers of twenty are told from a way that loses something besides", arguments: [0, 150])
    func twoOfTwenty(every: Int) {
        var share = LossShare()
        for number in 0..<400 {
            let isOwn = number % 20 < 2 && number / 20 % 2 == 0
            share.note(isLossy: isOwn || (every > 0 && number % every == 19), by: number % 20)
        }
        let losers = share.losers(below: 1e-4)
        #expect(losers.isSuperset(of: [0, 1]) && losers.count <= 4, "\(losers)")
    }

    @Test("where half of all hosts lose, or the only one, it is the way's loss")
    func most() {
        var (three, one) = (LossShare(), LossShare())
        for number in 0..<100 {
            three.note(isLossy: number % 5 < 3 && number % 2 == 0, by: number % 5)
            one.note(isLossy: number % 2 == 0, by: 1)
        }
        #expect(three.losers(below: 0.5).count < 3)
        #expect(one.losers(below: 0.5) == [])
        #expect(LossShare().losers(below: 0.5) == [])
    }

    @Test("others are asked while few hosts alone have lost something, once a second, until they have shown enough")
    func others() {
        var meter = LossMeter()
        var asked: [Set<Int>] = []
        for host in 1...5 { meter.note(lost: 0, of: 1, by: host, at: time(0)) }
        asked.append(meter.suspects(at: time(0)))
        meter.note(lost: 1, of: 2, by: 1, at: time(1))
        asked += [1, 1.5].map { meter.suspects(at: time($0)) }
        meter.note(lost: 1, of: 2, by: 2, at: time(2))
        asked.append(meter.suspects(at: time(2)))
        for number in 0..<30 { meter.note(lost: 0, of: 1, by: 3 + number % 3, at: time(3 + Double(number) / 100)) }
        asked.append(meter.suspects(at: time(4)))
        #expect(asked == [[], [1], [], [1, 2], []])
    }

    @Test("no others are asked where most hosts have lost something, but where the only one has")
    func noOthers() {
        var (several, one) = (LossMeter(), LossMeter())
        for host in 1...5 { several.note(lost: host < 5 ? 1 : 0, of: 2, by: host, at: time(Double(host))) }
        #expect(several.suspects(at: time(5)).isEmpty)
        one.note(lost: 1, of: 2, by: 1, at: time(1))
        #expect(one.suspects(at: time(5)) == [1])
    }

    @Test("as long as hosts lose by their own fault, others are asked now and then: what they were spared is forgotten")
    func reminder() {
        var meter = LossMeter()
        for number in 0..<40 { meter.note(lost: number % 2, of: 2, by: 1, at: time(Double(number) / 100)) }
        for number in 0..<40 { meter.note(lost: 0, of: 1, by: 2 + number % 4, at: time(1 + Double(number) / 100)) }
        #expect([2, 3, 6, 7, 8].map { meter.suspects(at: time($0)) } == [[1], [], [], [1], []])
        #expect(!meter.isLossy)
    }

    @Test("where all of few hosts lose, they may be overloaded: others are asked")
    func few() {
        var meter = LossMeter()
        for host in 1...3 { meter.note(lost: 1, of: 2, by: host, at: time(Double(host))) }
        #expect(meter.suspects(at: time(5)) == [1, 2, 3])
    }

    @Test("it ends after a minute without")
    func end() {
        var meter = LossMeter()
        for second in 0..<30 { meter.note(lost: second % 3 == 0 ? 1 : 0, of: 2, by: 1, at: time(Double(second))) }
        #expect(meter.isLossy)
        for second in 30..<100 { meter.note(lost: 0, of: 1, by: 1, at: time(Double(second))) }
        #expect(!meter.isLossy)
        #expect(meter.loss(at: time(100)) == 0)
    }

    @Test("an answer a second later than usual came to the second SYN; a radio that wakes comes at any time")
    func secondTry() {
        var usual = Usual()
        for _ in 0..<5 { _ = usual.add(.milliseconds(20)) }
        #expect(usual.add(.milliseconds(1021)) == .retried(1))
        #expect(usual.add(.milliseconds(1700)) == .slow)
        #expect(usual.add(.milliseconds(700)) == .slow)
        #expect(usual.add(.milliseconds(25)) == .usual)
        #expect(usual.mean < .milliseconds(30))
    }

    @Test("an answer to the third SYN or the fourth is loss, too, and not a slow way")
    func laterTries() {
        var usual = Usual()
        for _ in 0..<5 { _ = usual.add(.milliseconds(20)) }
        #expect(usual.add(.milliseconds(2019)) == .retried(2))
        #expect(usual.add(.milliseconds(3024)) == .retried(3))
        #expect(usual.add(.milliseconds(2400)) == .slow)
        var unknown = Usual()
        #expect(unknown.add(.milliseconds(2040)) == .retried(2))
        #expect(unknown.add(.milliseconds(40)) == .usual)
    }

    @Test(
        "a host is late after four times what is usual, at least after half a second, after one where nothing is known")
    func lateness() {
        var usual = Usual()
        #expect(usual.lateness == .seconds(1))
        _ = usual.add(.milliseconds(20))
        #expect(usual.lateness == .milliseconds(500))
        for _ in 0..<3 { _ = usual.add(.milliseconds(200)) }
        #expect(usual.lateness == .milliseconds(800))
    }
}
