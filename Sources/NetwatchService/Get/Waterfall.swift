import Connectivity
package import RequestEngine

/// The phases of a request as bars under each other, each beginning where the one before has ended.
package enum Waterfall {
    package static func lines(_ metrics: RequestMetrics, width: Int, style: Style) -> [String] {
        let columns = max(8, min(width - 24, 60))
        let total = max(1, metrics.phases.values.reduce(0) { $0 + $1.nanoseconds })
        var start: UInt64 = 0
        var lines = Phase.allCases.compactMap { phase -> String? in
            guard let length = metrics.phases[phase]?.nanoseconds else { return nil }
            defer { start += length }
            let bar = bar(start, length, total, columns, style)
            return "\(padded(phase.rawValue, 11))\(bar) \(length.durationText)"
        }
        if let failed = metrics.failedPhase { lines.append("failed in \(failed.rawValue)") }
        return lines
    }

    private static func bar(_ start: UInt64, _ length: UInt64, _ total: UInt64, _ columns: Int, _ style: Style)
        -> String
    {
        let first = Int(Double(start) / Double(total) * Double(columns))
        let count = max(1, Int((Double(length) / Double(total) * Double(columns)).rounded()))
        let mark = style.usesUnicode ? "█" : "#"
        return padded(String(repeating: " ", count: first) + String(repeating: mark, count: count), columns + 1)
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
