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
        let gap = width - columns - DisplayWidth.of(text)
        guard gap >= 1 else { return }
        append(String(repeating: " ", count: gap) + text, tone)
    }

    /// How many columns it takes.
    var columns: Int { runs.reduce(0) { $0 + DisplayWidth.of($1.text) } }

    /// The line as bytes for a terminal of a width in columns.
    func rendered(width: Int, style: Style) -> String {
        var left = width
        var line = ""
        for run in runs where left > 0 {
            let text = Self.cut(style.usesUnicode ? run.text : DisplayText.ascii(run.text), to: left, style)
            left -= DisplayWidth.of(text)
            line += Self.painted(text, run.tone, style)
        }
        return line
    }

    /// Text that takes no more than so many columns; what is left out is told by an ellipsis.
    static func cut(_ text: String, to width: Int, _ style: Style) -> String {
        guard DisplayWidth.of(text) > width else { return text }
        return width > 1
            ? DisplayWidth.prefix(text, width - 1) + style.ellipsis : String(DisplayWidth.prefix(text, width))
    }

    /// Text in lines of so many columns, cut between words, at most so many lines; the last one takes what is left.
    static func wrapped(_ text: String, indent: String, width: Int, most: Int, _ tone: Style.Tone?) -> [StyledLine] {
        var lines: [String] = []
        var line = ""
        for word in text.split(separator: " ") {
            let isFull = !line.isEmpty && DisplayWidth.of(indent + line) + 1 + DisplayWidth.of(word) > width
            if isFull, lines.count < most - 1 {
                lines.append(line)
                line = String(word)
            } else {
                line += line.isEmpty ? String(word) : " \(word)"
            }
        }
        return (lines + [line]).map { StyledLine(indent + $0, tone) }
    }

    private static func painted(_ text: String, _ tone: Style.Tone?, _ style: Style) -> String {
        guard let tone, style.usesColor else { return text }
        return "\u{1B}[\(tone.rawValue)m\(text)\u{1B}[0m"
    }
}
