import Connectivity
import EventLoop
import RequestEngine

/// The table of targets: what each said last, how long ago, and what it said in the last minutes.
enum TargetSection {
    private static let columns = (
        target: 0, result: 1, last: 2, best: 3, average: 4, loss: 5, age: 6, bars: 7, detail: 8
    )

    static func section(_ rows: [TargetTable.Row], at now: MonotonicTime) -> LiveSection {
        LiveSection(count: rows.count) { range, width, style in
            var table = TextTable("TARGET", "RESULT", "LAST", "BEST", "AVG", "LOSS", "AGE", "HISTORY", "")
            for row in rows[range] { append(row, to: &table, width: width, at: now, style) }
            return table.lines(width: width, shrinking: shrinking, style)
        } rest: { shown, left in
            let bad = rows[shown...].count(where: \.isBad)
            let words = bad == 0 ? "none of them fails" : "\(bad) of them fail\(bad == 1 ? "s" : "")"
            return StyledLine("  and \(left) more, \(words)", bad == 0 ? .faint : .bad)
        }
    }

    /// What a narrow window does without, the least important first.
    private static let shrinking: [TextTable.Shrinking] = [
        .init(columns.detail, to: 16), .init(columns.detail, to: 0), .init(columns.target, to: 18),
        .init(columns.average, to: 0), .init(columns.best, to: 0), .init(columns.target, to: 10),
        .init(columns.loss, to: 0), .init(columns.target, to: 6), .init(columns.bars, to: 0),
        .init(columns.result, to: 5), .init(columns.last, to: 0), .init(columns.target, to: 1),
    ]

    private static func append(
        _ row: TargetTable.Row, to table: inout TextTable, width: Int, at now: MonotonicTime, _ style: Style
    ) {
        guard let result = row.result else {
            let words = row.isUnknown ? "not known" : "not yet"
            return table.append(
                .init(row.name), .init(words, .faint), .init(""), .init(""), .init(""), .init(""), .init(""),
                .init(""), .init(row.evidence ?? "", .faint))
        }
        let age = now.nanoseconds - min(result.endMonotonic.nanoseconds, now.nanoseconds)
        let history = row.history
        table.append(
            .init(row.name), self.result(row, result, isNarrow: width < 60), .init(last(result)),
            .init(history.best?.durationText ?? style.absent, .faint),
            .init(history.average?.durationText ?? style.absent, .faint), loss(history, style),
            .init(age.ageText, .faint), .init(history.sparkline(length: length(width), style)),
            .init(result.failure ?? phases(result, style), .faint))
    }

    private static func length(_ width: Int) -> Int {
        switch width {
        case 110...: 20
        case 60...: 10
        default: 5
        }
    }

    private static func last(_ result: ProbeResult) -> String {
        result.outcome == .skipped ? "" : result.durationNanoseconds.durationText
    }

    private static func loss(_ history: ProbeHistory, _ style: Style) -> TextTable.Cell {
        guard let loss = history.loss else { return .init(style.absent, .faint) }
        return .init("\(loss)%", loss == 0 ? .faint : .bad)
    }

    private static func result(_ row: TargetTable.Row, _ probe: ProbeResult, isNarrow: Bool) -> TextTable.Cell {
        let code = probe.statusCode.map(String.init)
        let (long, short, tone): (String, String, Style.Tone) =
            switch probe.outcome {
            case .success: ("answers", "ok", .good)
            case .failure: ("fails", "fails", .bad)
            case .portal: ("portal", "portal", .warning)
            case .cancelled: ("given up", "-", .faint)
            case .skipped: ("not asked", "unask.", .faint)
            }
        // What was found does not count any more.
        let shownTone = row.isUnknown ? .faint : tone
        guard isNarrow else { return .init([long, code].compactMap { $0 }.joined(separator: " "), shownTone) }
        return .init(probe.outcome == .success ? code ?? short : short, shownTone)
    }

    private static func phases(_ probe: ProbeResult, _ style: Style) -> String {
        Phase.allCases.compactMap { phase in
            probe.phaseNanoseconds[phase].map { "\(phase.rawValue) \($0.durationText)" }
        }.joined(separator: style.separator)
    }
}
