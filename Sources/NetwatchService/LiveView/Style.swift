/// How the live view may draw: what the terminal can do and its owner wants (`NO_COLOR`, `TERM=dumb`).
package struct Style: Hashable, Sendable {
    /// Whether colours and bold type are used.
    package var usesColor: Bool
    /// Whether characters beyond ASCII are used.
    package var usesUnicode: Bool

    package init(usesColor: Bool, usesUnicode: Bool) {
        self.usesColor = usesColor
        self.usesUnicode = usesUnicode
    }

    /// Without colour, in ASCII.
    static let plain = Style(usesColor: false, usesUnicode: false)

    /// The style that an environment asks for: https://no-color.org and the locale's character set.
    package init(environment: [String: String]) {
        let isColorless = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        usesColor = !isColorless && environment["TERM"] != "dumb"
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].lazy.compactMap { environment[$0] }.first { !$0.isEmpty } ?? ""
        usesUnicode = locale.uppercased().contains("UTF")
    }

    /// A tone of the terminal's own palette (ECMA-48, SGR).
    enum Tone: String {
        case good = "32"
        case warning = "33"
        case bad = "31"
        case faint = "2"
        case strong = "1"
    }

    var bullet: String { usesUnicode ? "●" : "*" }
    var arrow: String { usesUnicode ? "→" : "->" }
    var absent: String { usesUnicode ? "–" : "-" }
    var ellipsis: String { usesUnicode ? "…" : "~" }
    var separator: String { usesUnicode ? " · " : ", " }
    /// From low to high, for a row of bars.
    var bars: [String] { (usesUnicode ? "▁▂▃▄▅▆▇█" : "_.-=+*#").map(String.init) }
    /// In the place of a bar: no answer.
    var loss: String { usesUnicode ? "×" : "x" }
}
