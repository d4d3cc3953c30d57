/// A history for people, and for spreadsheets.
enum HistoryTable {
    /// A line for each part.
    static func text(_ document: HistoryDocument) -> String {
        let style = Style(environment: ["NO_COLOR": "1", "LANG": "C.UTF-8"])
        var table = TextTable(
            "", "AVAILABLE", "UP", "DOWN", "UNKNOWN", "SUSPENDED", "OUTAGES", "PROBES", "FAILED", "MEAN")
        for part in document.parts {
            table.append(
                .init(part.target ?? "connectivity"), .init(part.availability.map(percent) ?? "-"),
                .init(time(part.up)), .init(time(part.down)), .init(time(part.unknown)), .init(time(part.suspended)),
                .init("\(part.outages)"), .init(part.probes.map { "\($0)" } ?? ""),
                .init(part.failures.map { "\($0)" } ?? ""),
                .init(part.mean.map { UInt64(min(max($0, 0), 1e9) * 1e9).durationText } ?? ""))
        }
        let lines = table.lines(style).map { $0.rendered(width: .max, style: style) }
        return "from \(document.since) to \(document.until)\n" + lines.map { trimmed($0) + "\n" }.joined()
    }

    /// As RFC 4180 has it, with a header.
    static func csv(_ document: HistoryDocument) -> String {
        let header = [
            "target", "since", "until", "up_seconds", "down_seconds", "unknown_seconds", "suspended_seconds",
            "availability", "outages", "probes", "failures", "mean_seconds", "longest_seconds",
        ]
        let rows = document.parts.map { row($0, of: document) }
        return ([header] + rows).map { $0.map(field).joined(separator: ",") + "\r\n" }.joined()
    }

    private static func row(_ part: HistoryDocument.Part, of document: HistoryDocument) -> [String] {
        let times = [part.up, part.down, part.unknown, part.suspended].map(decimal)
        let counts = [Int64(part.outages), part.probes, part.failures].map { $0.map(String.init) ?? "" }
        let seconds = [part.mean, part.longest].map { $0.map { "\($0)" } ?? "" }
        let availability = part.availability.map { "\($0)" } ?? ""
        return [part.target ?? "", document.since, document.until] + times + [availability] + counts + seconds
    }

    /// Never rounded up to all of it.
    static func percent(_ part: Double) -> String {
        guard part < 1 else { return "100 %" }
        // What another program answers is no reason to end.
        let thousandths = Int(max(part, 0) * 100_000)
        let fraction = String(thousandths % 1000)
        return "\(thousandths / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction) %"
    }

    /// `3d 4h`, `2h 05m`, `1m 12s`, `0.450s`.
    static func time(_ seconds: Double) -> String {
        let milliseconds = milliseconds(seconds)
        let whole = milliseconds / 1000
        switch whole {
        case ..<60: return milliseconds == 0 ? "0" : decimal(seconds) + "s"
        case ..<3600: return "\(whole / 60)m \(whole % 60)s"
        case ..<86_400: return "\(whole / 3600)h \(whole / 60 % 60)m"
        default: return "\(whole / 86_400)d \(whole / 3600 % 24)h"
        }
    }

    /// Seconds with their milliseconds.
    private static func decimal(_ seconds: Double) -> String {
        let milliseconds = milliseconds(seconds)
        let fraction = String(milliseconds % 1000)
        return "\(milliseconds / 1000).\(String(repeating: "0", count: 3 - fraction.count))\(fraction)"
    }

    /// What a damaged file says is no reason to end.
    private static func milliseconds(_ seconds: Double) -> Int64 {
        Int64((min(max(seconds, 0), 1e12) * 1000).rounded())
    }

    private static func field(_ text: String) -> String {
        guard text.utf8.contains(where: { "\",\r\n".utf8.contains($0) }) else { return text }
        return "\"" + text.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }

    private static func trimmed(_ line: String) -> String {
        String(line.prefix(line.count - line.reversed().prefix { $0 == " " }.count))
    }
}
