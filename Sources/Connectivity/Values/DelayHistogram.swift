/// How long something was late, or took: counts of times up to each bound.
public struct DelayHistogram: Hashable, Sendable, Codable {
    /// 1, 2 and 5 in each power of ten, from 10 µs to 10 s. What is later is counted behind the last.
    public static var bounds: [Duration] { boundNanoseconds.map { .nanoseconds(Int64(clamping: $0)) } }

    package static let boundNanoseconds: [UInt64] =
        (4...9).flatMap { power in
            [1, 2, 5].map { $0 * (0..<power).reduce(1) { value, _ in value * 10 } }
        } + [10_000_000_000]

    /// One for each bound, without those of the bounds below, and one for what is later.
    public private(set) var counts = [UInt64](repeating: 0, count: boundNanoseconds.count + 1)
    package private(set) var sumNanoseconds: UInt64 = 0
    package private(set) var maximumNanoseconds: UInt64 = 0

    /// Of all.
    public var sum: Duration { .nanoseconds(Int64(clamping: sumNanoseconds)) }
    /// The longest.
    public var maximum: Duration { .nanoseconds(Int64(clamping: maximumNanoseconds)) }

    public init() {}

    mutating func record(_ delay: UInt64) {
        counts[Self.boundNanoseconds.firstIndex { delay <= $0 } ?? Self.boundNanoseconds.count] += 1
        sumNanoseconds &+= delay
        maximumNanoseconds = max(maximumNanoseconds, delay)
    }
}
