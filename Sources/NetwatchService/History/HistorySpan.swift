#if Service
import Netwatch

/// How far back a question goes: `90m`, `24h`, `7d`.
package struct HistorySpan: Hashable, Sendable {
    package static let usual = HistorySpan(milliseconds: 86_400_000)
    private static let most: Int64 = 3650 * 86_400_000

    package let milliseconds: Int64

    private init(milliseconds: Int64) {
        self.milliseconds = milliseconds
    }

    /// Nil where the text is no such time, or it is longer than ten years.
    package init?(_ text: String) {
        let isInDays = text.hasSuffix("d")
        // What a day is to a duration's own units, which end with the hour.
        guard let duration = isInDays ? Duration(text: text.dropLast() + "s") : Duration(text: text) else { return nil }
        let (seconds, attoseconds) = duration.components
        let milliseconds = seconds * 1000 + attoseconds / 1_000_000_000_000_000
        let (span, overflow) = milliseconds.multipliedReportingOverflow(by: isInDays ? 86_400 : 1)
        guard !overflow, (1...Self.most).contains(span) else { return nil }
        self.milliseconds = span
    }

    package static let words = "a time such as 90m, 24h or 30d, no longer than 3650d"
}
#endif
