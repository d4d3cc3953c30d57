import EventLoop
import Synchronization
import TestSupport
import Testing

@Suite("Alarms")
struct AlarmTests {
    private let loop: EventLoop
    private let start = MonotonicTime.now

    init() throws {
        loop = try EventLoop()
    }

    private func time(_ milliseconds: Int) -> MonotonicTime { start.advanced(by: .milliseconds(milliseconds)) }

    @Test("an alarm is called on the loop's thread each time that it was set to")
    func again() async throws {
        let calls = Mutex<[Bool?]>([])
        let alarm = loop.makeAlarm { [loop] in calls.withLock { $0.append(loop.isIsolatingCurrentContext()) } }
        loop.set(alarm, at: time(10))
        try await loop.sleep(until: time(30))
        loop.set(alarm, at: time(40))
        try await loop.sleep(until: time(60))
        #expect(calls.withLock { $0 } == [true, true])
    }

    @Test("the latest time that an alarm was set to is the only one, be it earlier or later", arguments: [20, 80])
    func latest(milliseconds: Int) async throws {
        let times = Mutex<[MonotonicTime]>([])
        let alarm = loop.makeAlarm { times.withLock { $0.append(.now) } }
        loop.set(alarm, at: time(50))
        loop.set(alarm, at: time(milliseconds))
        try await loop.sleep(until: time(120))
        let called = times.withLock { $0 }
        #expect(called.count == 1)
        #expect(called.allSatisfy { $0 >= time(milliseconds) && (milliseconds > 50 || $0 < time(50)) }, "\(called)")
    }

    @Test("an alarm that is set to no time, or ended, is not called, and may be set again")
    func quiet() async throws {
        let calls = Counter()
        let (cleared, ended) = (loop.makeAlarm { calls.increment() }, loop.makeAlarm { calls.increment() })
        for alarm in [cleared, ended] { loop.set(alarm, at: time(10)) }
        loop.set(cleared, at: nil)
        loop.end(ended)
        loop.set(ended, at: time(20))
        try await loop.sleep(until: time(40))
        #expect(calls.value == 0)
        loop.set(cleared, at: time(50))
        try await loop.sleep(until: time(80))
        #expect(calls.value == 1)
    }

    @Test("alarms and timers come in the order of their times, however often an alarm was put off before")
    func order() async throws {
        let order = Mutex<[String]>([])
        let alarm = loop.makeAlarm { order.withLock { $0.append("alarm") } }
        for step in 0..<10_000 { loop.set(alarm, at: time(400 - step % 200)) }
        loop.set(alarm, at: time(450))
        loop.schedule(at: time(440)) { order.withLock { $0.append("before") } }
        loop.schedule(at: time(460)) { order.withLock { $0.append("after") } }
        try await loop.sleep(until: time(500))
        #expect(order.withLock { $0 } == ["before", "alarm", "after"])
    }

    @Test("what an alarm holds is let go of when it ends")
    func release() {
        final class Held: Sendable {}
        weak var held: Held?
        do {
            let object = Held()
            held = object
            let alarm = loop.makeAlarm { _ = object }
            loop.set(alarm, at: time(10_000))
            loop.end(alarm)
        }
        #expect(held == nil)
    }
}
