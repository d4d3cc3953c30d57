#if Service
/// One line of the live view: runs of text with a tone, cut to the window's width before escape sequences are added.
struct StyledLine: Hashable, Sendable {
    private struct Run: Hashable, Sendable {
        var text: String
        var tone: Style.Tone?
    }

    private var runs: [Run] = []

    init(_ text: String = "", _ tone: Style.Tone? = nil) {
        append(text, tone)
    }

    mutating func append(_ text: String, _ tone: Style.Tone? = nil) {
        guard !text.isEmpty else { return }
        runs.append(Run(text: DisplayText.safe(text), tone: tone))
    }

    /// Adds text that ends at a column, if there is room for it.
    mutating func appendRight(_ text: String, _ tone: Style.Tone? = nil, width: Int) {
        let gap = width - count - text.count
        guard gap >= 1 else { return }
        append(String(repeating: " ", count: gap) + text, tone)
    }

    var count: Int { runs.reduce(0) { $0 + $1.text.count } }

    /// The line as bytes for a terminal of a width in columns.
    func rendered(width: Int, style: Style) -> String {
        var left = width
        var line = ""
        for run in runs where left > 0 {
            let text = Self.cut(run.text, to: left, style)
            left -= text.count
            line += Self.painted(text, run.tone, style)
        }
        return line
    }

    private static func cut(_ text: String, to width: Int, _ style: Style) -> String {
        guard text.count > width else { return text }
        return width > 1 ? text.prefix(width - 1) + style.ellipsis : String(text.prefix(width))
    }

    private static func painted(_ text: String, _ tone: Style.Tone?, _ style: Style) -> String {
        guard let tone, style.usesColor else { return text }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
}
#endif
