/// Measured times, in nanoseconds.
struct Samples: Sendable {
    private var sorted: [UInt64] = []

    init(_ values: [UInt64]) {
        sorted = values.sorted()
    }

    var count: Int { sorted.count }
    var median: Double { percentile(50) }

    /// The smallest value that the given share of all values does not exceed; 0 where there are none.
    func percentile(_ percent: Double) -> Double {
        guard let last = sorted.indices.last else { return 0 }
        let rank = Int((percent / 100 * Double(sorted.count)).rounded(.up)) - 1
        return Double(sorted[min(max(rank, 0), last)])
    }
}
