/// Counts of values up to each bound.
package struct Histogram: Hashable, Sendable {
    /// The bounds that OpenTelemetry recommends for requests, in seconds.
    package static let bounds = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

    private var counts = [UInt64](repeating: 0, count: Histogram.bounds.count + 1)
    private var sum = 0.0

    package init() {}

    package mutating func record(_ value: Double) {
        let index = Self.bounds.firstIndex { value <= $0 } ?? Self.bounds.count
        counts[index] += 1
        sum += value
    }

    /// The series of a histogram: a bucket a bound, each with all values up to it, then the sum and the count.
    package func samples(_ labels: [MetricFamily.Label]) -> [MetricFamily.Sample] {
        Self.samples(Self.bounds, counts, sum: sum, labels)
    }

    static func samples(
        _ bounds: [Double], _ counts: [UInt64], sum: Double, _ labels: [MetricFamily.Label]
    ) -> [MetricFamily.Sample] {
        var total: UInt64 = 0
        let buckets = zip(bounds.map { "\($0)" } + ["+Inf"], counts).map { bound, count in
            total += count
            return MetricFamily.Sample(Double(total), labels + [.init("le", bound)], suffix: "_bucket")
        }
        return buckets + [.init(sum, labels, suffix: "_sum"), .init(Double(total), labels, suffix: "_count")]
    }
}
