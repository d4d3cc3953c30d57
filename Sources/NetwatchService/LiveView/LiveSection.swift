/// A part of the live view: rows of one kind under a header. Only those rows are drawn that are shown: there may be ten
/// thousand.
struct LiveSection {
    let count: Int
    /// The header and the rows of a range, for a width in columns.
    private let draw: (Range<Int>, Int, Style) -> [StyledLine]
    /// What stands for the rows from one on that are not shown; nil where nothing has to.
    private let rest: ((Int, Int) -> StyledLine)?

    init(
        count: Int, draw: @escaping (Range<Int>, Int, Style) -> [StyledLine], rest: ((Int, Int) -> StyledLine)? = nil
    ) {
        self.count = count
        self.draw = draw
        self.rest = rest
    }

    /// How many lines it takes as a whole, the header among them.
    var height: Int { count == 0 ? 0 : count + 1 }

    /// Its lines in a range of ``height``.
    func lines(_ range: Range<Int>, width: Int, _ style: Style) -> [StyledLine] {
        let rows = max(range.lowerBound - 1, 0)..<max(range.upperBound - 1, 0)
        guard !range.isEmpty else { return [] }
        let lines = draw(rows, width, style)
        return range.lowerBound == 0 ? lines : Array(lines.dropFirst())
    }

    /// As much of it as fits into so many lines, and how much is left.
    func fitted(_ room: Int, width: Int, _ style: Style) -> [StyledLine] {
        guard room > 0, count > 0 else { return [] }
        if room >= height { return lines(0..<height, width: width, style) }
        // The header goes first where there is little room.
        let isHeaded = room > 2
        let isCounted = rest != nil && count > (isHeaded ? room - 1 : room)
        let shown = min(count, room - (isHeaded ? 1 : 0) - (isCounted ? 1 : 0))
        let rows = lines((isHeaded ? 0 : 1)..<(shown + 1), width: width, style)
        guard isCounted, let rest else { return rows }
        return rows + [rest(shown, count - shown)]
    }
}
