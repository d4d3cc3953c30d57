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
        let (number, unit) = text.hasSuffix("d") ? (text.dropLast() + "s", 86_400.0) : (text[...], 1.0)
        guard number.dropLast().last?.isNumber == true || unit == 1, let duration = Duration(text: String(number))
        else { return nil }
        // Not by the whole millisecond: one of a number of days is a minute and a half.
        let length = (duration / .milliseconds(1) * unit).rounded()
        guard length >= 1, length <= Double(Self.most) else { return nil }
        milliseconds = Int64(length)
    }

    /// As a question has it.
    var text: String {
        let day: Int64 = 86_400_000
        guard milliseconds > 6 * day else { return "\(milliseconds)ms" }
        return "\(Double(milliseconds) / Double(day))d"
    }

    package static let words = "a time such as 90m, 24h or 30d, no longer than 3650d"
}
