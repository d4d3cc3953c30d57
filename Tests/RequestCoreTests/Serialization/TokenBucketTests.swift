import EventLoop
import RequestCore
import TestSupport
import Testing

@Suite("A throttled body")
struct TokenBucketTests {
    private let start = MonotonicTime(nanoseconds: 1_000_000_000)

    @Test("AFNetworking's suggestion for 3G is 16 KiB each 0.2 seconds")
    func suggestion() {
        #expect(Throttle.suggested3G == Throttle(bytesPerSecond: 81_920, burst: 16_384))
    }

    @Test("a burst goes at once, the rest when its time has come")
    func burst() {
        var bucket = TokenBucket(.suggested3G, at: start)
        #expect(bucket.take(100_000, at: start) == 16_384)
        #expect(bucket.take(1, at: start) == 0)
        #expect(bucket.delay(until: 16_384) == .milliseconds(200))
        #expect(bucket.take(100_000, at: start.advanced(by: .milliseconds(100))) == 8192)
        #expect(bucket.take(100, at: start.advanced(by: .milliseconds(200))) == 100)
    }

    @Test("a long pause fills the bucket once, not twice")
    func full() {
        var bucket = TokenBucket(Throttle(bytesPerSecond: 100, burst: 50), at: start)
        #expect(bucket.take(10, at: start) == 10)
        #expect(bucket.take(1000, at: start.advanced(by: .seconds(1000))) == 50)
    }

    @Test("waiting for more than a burst is waiting for a burst")
    func delay() {
        var bucket = TokenBucket(Throttle(bytesPerSecond: 100, burst: 50), at: start)
        _ = bucket.take(50, at: start)
        #expect(bucket.delay(until: 1000) == .milliseconds(500))
        #expect(bucket.delay(until: 0) == .zero)
    }

    @Test("over seeded times and wishes, never more goes than the rate and one burst")
    func property() {
        var generator = SeededGenerator(seed: 3)
        for _ in 0..<100 {
            let throttle = Throttle(
                bytesPerSecond: Int.random(in: 1...10_000, using: &generator),
                burst: Int.random(in: 1...500, using: &generator))
            var bucket = TokenBucket(throttle, at: start)
            var now = start
            var sent = 0
            for _ in 0..<100 {
                now = now.advanced(by: .milliseconds(Int.random(in: 0...100, using: &generator)))
                sent += bucket.take(Int.random(in: 0...1000, using: &generator), at: now)
                let limit =
                    Double(throttle.burst) + start.duration(to: now) / .seconds(1) * Double(throttle.bytesPerSecond)
                #expect(Double(sent) <= limit + 1e-6)
            }
        }
    }

    @Test("nonsense is held to what can be done")
    func nonsense() {
        #expect(Throttle(bytesPerSecond: -1, burst: 0) == Throttle(bytesPerSecond: 1, burst: 1))
        #expect(Throttle(packetSize: 10, delay: .zero).bytesPerSecond > 0)
        var bucket = TokenBucket(Throttle(bytesPerSecond: 1, burst: 1), at: start)
        #expect(bucket.take(-5, at: MonotonicTime(nanoseconds: 0)) == 0)
    }
}
