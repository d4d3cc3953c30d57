#if Service
/// Rows of cells in columns as wide as their widest cell; the last column takes what is left.
struct TextTable {
    struct Cell {
        var text: String
        var tone: Style.Tone?

        init(_ text: String, _ tone: Style.Tone? = nil) {
            self.text = DisplayText.safe(text)
            self.tone = tone
        }
    }

    private let header: [String]
    private var rows: [[Cell]] = []

    init(_ header: String...) {
        self.header = header
    }

    mutating func append(_ cells: Cell...) {
        rows.append(cells)
    }

    func lines(indent: String = "  ") -> [StyledLine] {
        let all = [header.map { Cell($0, .faint) }] + rows
        let widths = header.indices.map { column in all.map { $0[column].text.count }.max() ?? 0 }
        return all.map { line(of: $0, widths, indent) }
    }

    private func line(of cells: [Cell], _ widths: [Int], _ indent: String) -> StyledLine {
        var line = StyledLine(indent)
        for (index, (cell, width)) in zip(cells, widths).enumerated() {
            line.append(cell.text, cell.tone)
            if index < cells.count - 1 { line.append(String(repeating: " ", count: width - cell.text.count + 2)) }
        }
        return line
    }
}
#endif
