import EventLoop
import Testing

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
        (.seconds(-6), 0), (.seconds(Int64.max), .max), (.seconds(Int64.min), 0),
    ]

    @Test("stays within what the clock can express", arguments: bounds)
    func stays(after duration: Duration, at nanoseconds: UInt64) {
        #expect(Self.start.advanced(by: duration) == MonotonicTime(nanoseconds: nanoseconds))
    }
}
