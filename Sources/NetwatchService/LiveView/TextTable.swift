/// Rows of cells in columns as wide as their widest cell. Where the window is narrower, columns shrink in the order that the
/// table's maker gives, down to nothing; what is still too much is cut at the end of the line.
struct TextTable {
    struct Cell {
        var text: String
        var tone: Style.Tone?

        init(_ text: String, _ tone: Style.Tone? = nil) {
            self.text = DisplayText.safe(text)
            self.tone = tone
        }
    }

    /// A column that may become narrower.
    struct Shrinking {
        let column: Int
        /// How narrow; with 0 the column disappears.
        let least: Int

        init(_ column: Int, to least: Int) {
            self.column = column
            self.least = least
        }
    }

    private static let indent = "  "
    private static let gap = 2

    private let header: [String]
    private var rows: [[Cell]] = []

    init(_ header: String...) {
        self.header = header
    }

    mutating func append(_ cells: Cell...) {
        rows.append(cells)
    }

    /// The header, then the rows.
    func lines(width: Int = .max, shrinking: [Shrinking] = [], _ style: Style) -> [StyledLine] {
        let all = [header.map { Cell($0, .faint) }] + rows
        var widths = header.indices.map { column in all.map { DisplayWidth.of($0[column].text) }.max() ?? 0 }
        for step in shrinking {
            let excess = Self.total(widths) - width
            guard excess > 0, widths[step.column] > step.least else { continue }
            widths[step.column] = step.least == 0 ? 0 : max(step.least, widths[step.column] - excess)
        }
        return all.map { line(of: $0, widths, style) }
    }

    private static func total(_ widths: [Int]) -> Int {
        widths.filter { $0 > 0 }.reduce(indent.count - gap) { $0 + $1 + gap }
    }

    private func line(of cells: [Cell], _ widths: [Int], _ style: Style) -> StyledLine {
        var line = StyledLine(Self.indent)
        var padding = 0
        for (cell, width) in zip(cells, widths) where width > 0 {
            let text = StyledLine.cut(cell.text, to: width, style)
            guard !text.isEmpty else { padding += width + Self.gap; continue }
            line.append(String(repeating: " ", count: padding))
            line.append(text, cell.tone)
            padding = width - DisplayWidth.of(text) + Self.gap
        }
        return line
    }
}
