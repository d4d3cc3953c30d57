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

    @Test("what one host of several loses is its own loss, and not the way's", arguments: [1, 2])
    func oneHost(losers: Int) {
        var meter = LossMeter()
        for second in 0..<60 {
            for host in 1...4 {
                let isLost = host <= losers && (second + host) % 2 == 0
                meter.note(lost: isLost ? 1 : 0, of: 2, by: host, at: time(Double(second)))
            }
        }
        #expect(meter.isLossy == (losers > 1))
        #expect((meter.loss(at: time(60)) > 0.05) == (losers > 1))
        #expect(meter.loss(to: [1], at: time(60)) > 0.2)
        #expect((meter.loss(to: [4], at: time(60)) > 0.05) == (losers > 1))
    }

    @Test("others are asked while one host alone has lost something, once a second, until they have shown enough")
    func others() {
        var meter = LossMeter()
        var asked: [Bool] = []
        meter.note(lost: 0, of: 1, by: 1, at: time(0))
        asked.append(meter.wantsOthers(at: time(0)))
        meter.note(lost: 1, of: 2, by: 1, at: time(1))
        asked += [1, 1.5].map { meter.wantsOthers(at: time($0)) }
        for number in 0..<30 { meter.note(lost: 0, of: 1, by: 2, at: time(2 + Double(number) / 100)) }
        asked.append(meter.wantsOthers(at: time(3)))
        meter.note(lost: 1, of: 2, by: 2, at: time(3))
        asked.append(meter.wantsOthers(at: time(4)))
        #expect(asked == [false, true, false, false, false])
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
