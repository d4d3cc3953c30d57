/// How many columns of a terminal a text takes. The C library's wcwidth(3) knows it in the locale only, which may not be
/// installed.
enum DisplayWidth {
    static func of(_ text: some StringProtocol) -> Int {
        // Nearly all text is ASCII, one column a byte.
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text.utf8.count }
        return text.reduce(0) { $0 + width(of: $1) }
    }

    /// The longest beginning of a text that fits into so many columns.
    static func prefix(_ text: String, _ columns: Int) -> Substring {
        var left = columns
        let end = text.indices.first { index in
            left -= width(of: text[index])
            return left < 0
        }
        return text[..<(end ?? text.endIndex)]
    }

    /// What a person sees as one character may be several scalars, which most terminals count one by one.
    private static func width(of character: Character) -> Int {
        character.unicodeScalars.reduce(0) { width, scalar in
            // Asks for the coloured form of the character before it, which is wide.
            scalar.value == 0xFE0F && width == 1 ? 2 : width + self.width(of: scalar)
        }
    }

    private static func width(of scalar: Unicode.Scalar) -> Int {
        guard scalar.value >= 0x300 else { return scalar.value == 0xAD ? 0 : 1 }
        switch scalar.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format: return 0
        default: return isWide(scalar) ? 2 : 1
        }
    }

    /// East Asian wide and fullwidth characters (Unicode Standard Annex 11) and those that are drawn as coloured pictures.
    private static func isWide(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0x1100...0x115F, 0x2329...0x232A, 0x2E80...0x303E, 0x3041...0xA4CF, 0xA960...0xA97C, 0xAC00...0xD7A3,
            0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6B, 0xFF01...0xFF60, 0xFFE0...0xFFE6, 0x16FE0...0x18DFF,
            0x1AFF0...0x1B2FF, 0x1F200...0x1F265, 0x20000...0x3FFFD:
            true
        // Two of these make a flag.
        case 0x1F1E6...0x1F1FF: false
        default: scalar.properties.isEmojiPresentation
        }
    }
}
