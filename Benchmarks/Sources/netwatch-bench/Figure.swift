import Foundation

/// One figure of a benchmark, beside what it is compared with.
struct Figure: Codable, Sendable {
    var benchmark: String
    var quantity: String
    var unit: String
    var ours: Double
    /// What the same run measured for another program, by its name.
    var reference: String?
    var other: Double?
    /// Ours over the other's.
    var ratio: Double?
    var goal: String?
    var isGoalMet: Bool?

    init(_ benchmark: String, _ quantity: String, _ ours: Double, _ unit: String) {
        self.benchmark = benchmark
        self.quantity = quantity
        self.unit = unit
        self.ours = ours
    }

    /// Sets what it is compared with in the same run.
    func beside(_ reference: String, _ other: Double) -> Figure {
        var figure = self
        figure.reference = reference
        figure.other = other
        figure.ratio = other == 0 ? nil : ours / other
        return figure
    }

    /// The ratio to the reference is to stay at or below a limit.
    func aiming(ratioAtMost limit: Double) -> Figure {
        var figure = self
        figure.goal = "ratio ≤ \(limit.brief)"
        figure.isGoalMet = ratio.map { $0 <= limit }
        return figure
    }

    /// The ratio to the reference is to stay at or above a limit.
    func aiming(ratioAtLeast limit: Double) -> Figure {
        var figure = self
        figure.goal = "ratio ≥ \(limit.brief)"
        figure.isGoalMet = ratio.map { $0 >= limit }
        return figure
    }

    /// The figure itself is to stay at or below a limit.
    func aiming(atMost limit: Double) -> Figure {
        var figure = self
        figure.goal = "≤ \(limit.brief) \(unit)"
        figure.isGoalMet = ours <= limit
        return figure
    }
}

extension Double {
    /// Three significant digits at most behind the point.
    var brief: String {
        let digits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : 2
        return formatted(
            .number.precision(.fractionLength(0...digits)).grouping(.never).locale(Locale(identifier: "C")))
    }
}
