/// How long something was late, or took: counts of times up to each bound, in nanoseconds.
public struct DelayHistogram: Hashable, Sendable, Codable {
    /// 1, 2 and 5 in each power of ten, from 10 µs to 10 s. What is later is counted behind the last.
    public static let bounds: [UInt64] =
        (4...9).flatMap { power in
            [1, 2, 5].map { $0 * (0..<power).reduce(1) { value, _ in value * 10 } }
        } + [10_000_000_000]

    /// One for each bound, without those of the bounds below, and one for what is later.
    public private(set) var counts = [UInt64](repeating: 0, count: bounds.count + 1)
    /// Of all, in nanoseconds.
    public private(set) var sum: UInt64 = 0
    /// The longest, in nanoseconds.
    public private(set) var maximum: UInt64 = 0

    public init() {}

    mutating func record(_ delay: UInt64) {
        counts[Self.bounds.firstIndex { delay <= $0 } ?? Self.bounds.count] += 1
        sum &+= delay
        maximum = max(maximum, delay)
    }
}
