import Foundation

/// All figures of a run: printed as a table for people, written as JSON for programs.
struct Report: Codable {
    var date: String
    var kernel: String
    var processors: Int
    var figures: [Figure] = []

    init() {
        date = Date.now.formatted(.iso8601)
        kernel = (try? String(contentsOfFile: "/proc/sys/kernel/osrelease", encoding: .utf8))?.trimmed ?? "unknown"
        processors = ProcessInfo.processInfo.activeProcessorCount
    }

    var table: String {
        let rows = [["benchmark", "quantity", "netwatch", "beside", "ratio", "goal"]] + figures.map(\.row)
        let widths = rows[0].indices.map { column in rows.map { $0[column].count }.max() ?? 0 }
        return rows.map { row in
            zip(row, widths).map { $0.padding(toLength: $1, withPad: " ", startingAt: 0) }.joined(separator: "  ")
        }.joined(separator: "\n")
    }

    func write(to path: String) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        try encoder.encode(self).write(to: URL(fileURLWithPath: path))
    }
}

extension Figure {
    /// The figure in one line.
    var line: String { row.filter { !$0.isEmpty }.joined(separator: ", ") }

    fileprivate var row: [String] {
        [
            benchmark, quantity, "\(ours.brief) \(unit)",
            reference.map { "\($0) \((other ?? 0).brief) \(unit)" } ?? "",
            ratio?.brief ?? "",
            goal.map { "\($0): \(isGoalMet == true ? "met" : "missed")" } ?? "",
        ]
    }
}

extension String {
    var trimmed: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
