import Testing

@testable import EventLoop

@Suite("A time of the monotonic clock")
struct MonotonicTimeTests {
    private static let start = MonotonicTime(nanoseconds: 5_000_000_000)

    private static let steps: [(Duration, UInt64)] = [
        (.seconds(2), 7_000_000_000),
        (.seconds(-2), 3_000_000_000),
        (.nanoseconds(1), 5_000_000_001),
        (.nanoseconds(-1), 4_999_999_999),
        (Duration(secondsComponent: 0, attosecondsComponent: 1_999_999_999), 5_000_000_001),
        (Duration(secondsComponent: 0, attosecondsComponent: -1_999_999_999), 4_999_999_999),
        (.seconds(86_400), 86_405_000_000_000),
    ]

    @Test("moves by whole nanoseconds, towards where it was", arguments: steps)
    func moves(by duration: Duration, to nanoseconds: UInt64) {
        #expect(Self.start.advanced(by: duration) == MonotonicTime(nanoseconds: nanoseconds))
    }

    private static let bounds: [(Duration, UInt64)] = [
        (.seconds(-6), 0), (.seconds(Int64.max), UInt64(Int64.max)), (.seconds(Int64.min), 0),
    ]

    @Test("stays within what the clock can express", arguments: bounds)
    func stays(after duration: Duration, at nanoseconds: UInt64) {
        #expect(Self.start.advanced(by: duration) == MonotonicTime(nanoseconds: nanoseconds))
    }

    @Test("is in the future however far it was moved", arguments: [292, 293, 400, 1000] as [Int64])
    func future(years: Int64) {
        let later = Self.start.advanced(by: .seconds(years * 31_557_600))
        #expect(later > Self.start)
        #expect(Self.start.duration(to: later) > .seconds(291 * 31_557_600))
    }

    private static let deadlines: [(UInt64, Duration)] = [
        (4_000_000_000, .zero), (5_000_000_000, .zero), (5_000_000_001, .nanoseconds(1)), (7_000_000_000, .seconds(2)),
        (UInt64(Int64.max), .nanoseconds(Int64.max - 5_000_000_000)), (UInt64(Int64.max) + 1, .seconds(86_400)),
        (.max, .seconds(86_400)),
    ]

    @Test("is slept for, a day at a time where it is further off than can be told", arguments: deadlines)
    func waits(until nanoseconds: UInt64, lasting duration: Duration) {
        let deadline = MonotonicTime(nanoseconds: nanoseconds)
        #expect(Epoll.timeLeft(until: deadline, from: Self.start) == duration)
    }
}
