/// Host names with letters beyond ASCII, as the name system, certificates and servers know them: `bücher.example` is
/// `xn--bcher-kva.example` (RFC 5890).
///
/// They are read as browsers read them (UTS #46, nontransitional): in small letters, composed, `ß` and `ς` left as they are.
/// libcurl would read them in the locale of the process, which in a service is often none. What only a compatibility table
/// could turn into letters, such as ligatures and letters in circles, is refused.
package enum InternationalName {
    /// The name in ASCII, in its own capitals where it was; nil where it cannot be a host's.
    package static func ascii(_ name: String) -> String? {
        guard !name.utf8.allSatisfy({ $0 < 0x80 }) else {
            return name.utf8.contains(where: isForbidden) ? nil : name
        }
        guard name.unicodeScalars.count <= mostScalars else { return nil }
        var labels: [String] = []
        for label in mapped(name).split(separator: ".", omittingEmptySubsequences: false) {
            guard let label = ascii(label: Array(label.unicodeScalars)) else { return nil }
            labels.append(label)
        }
        let isAbsolute = labels.last == ""
        guard !labels.dropLast(isAbsolute ? 1 : 0).contains("") else { return nil }
        let ascii = labels.joined(separator: ".")
        return ascii.utf8.count <= (isAbsolute ? 254 : 253) ? ascii : nil
    }

    /// No name is longer in ASCII than 254 bytes, and none of its letters is made of more than a few scalars. To compose them takes
    /// the square of their number.
    private static let mostScalars = 4 * 254

    private static func ascii(label: [Unicode.Scalar]) -> String? {
        guard !label.allSatisfy(\.isASCII) else {
            let text = String(String.UnicodeScalarView(label))
            return text.utf8.contains(where: isForbidden) ? nil : text
        }
        guard isLabel(label), let code = Punycode.encode(label), code.utf8.count <= 59 else { return nil }
        return "xn--\(code)"
    }

    // MARK: Mapping

    /// The name in small letters and composed, with plain dots.
    private static func mapped(_ name: String) -> String {
        var mapped = String.UnicodeScalarView()
        for scalar in name.unicodeScalars {
            switch scalar.value {
            case 0x3002, 0xFF0E, 0xFF61: mapped.append(".")
            // Letters of the width of a Chinese character.
            case 0xFF01...0xFF5E:
                let narrow = Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
                mapped.append(contentsOf: narrow.properties.lowercaseMapping.unicodeScalars)
            case 0xAD, 0x34F, 0x200B, 0x2060, 0xFE00...0xFE0F, 0xFEFF: continue
            default: mapped.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
            }
        }
        return composed(String(mapped))
    }

    /// Each letter with its marks as one scalar, where there is one.
    private static func composed(_ text: String) -> String {
        var result = String.UnicodeScalarView()
        for character in text {
            guard character.unicodeScalars.count > 1 else {
                result.append(contentsOf: character.unicodeScalars)
                continue
            }
            var letter = ""
            for mark in character.unicodeScalars {
                let longer = letter + String(mark)
                if let composed = compositions[longer] { letter = String(composed) } else { letter = longer }
            }
            result.append(contentsOf: letter.unicodeScalars)
        }
        return String(result)
    }

    /// The scalars that stand for a letter with its marks. A `String` finds them by the letter and the marks, since it
    /// compares what is canonically equivalent as equal.
    private static let compositions: [String: Unicode.Scalar] = {
        let ranges: [ClosedRange<UInt32>] = [0xC0...0x1FFF, 0x3040...0x30FF, 0xAC00...0xD7A3]
        var table: [String: Unicode.Scalar] = [:]
        for scalar in ranges.joined().lazy.compactMap({ Unicode.Scalar($0) })
        where scalar.properties.isAlphabetic && !scalar.properties.changesWhenNFKCCaseFolded {
            table[String(scalar)] = scalar
        }
        return table
    }()

    // MARK: What may stand in a label

    private static func isLabel(_ label: [Unicode.Scalar]) -> Bool {
        guard let first = label.first, !first.isMark, first != "-", label.last != "-",
            !label.dropFirst(2).starts(with: ["-", "-"] as [Unicode.Scalar])
        else { return false }
        return label.indices.allSatisfy { index in
            label[index].isJoiner ? joins(label, at: index) : isAllowed(label[index])
        }
    }

    private static func isAllowed(_ scalar: Unicode.Scalar) -> Bool {
        guard !scalar.isASCII else { return !isForbidden(UInt8(truncatingIfNeeded: scalar.value)) }
        guard !scalar.properties.changesWhenNFKCCaseFolded || scalar == "ß" || scalar == "ς" else { return false }
        return switch scalar.properties.generalCategory {
        case .lowercaseLetter, .modifierLetter, .otherLetter, .nonspacingMark, .spacingMark, .enclosingMark,
            .decimalNumber, .letterNumber, .otherNumber, .otherSymbol, .mathSymbol, .currencySymbol, .modifierSymbol:
            true
        default: [0xB7, 0x375, 0x5F3, 0x5F4, 0x30FB].contains(scalar.value)
        }
    }

    /// A joiner shows only behind a virama, or between two letters of a script that is written in one stroke (RFC 5892,
    /// appendix A).
    private static func joins(_ label: [Unicode.Scalar], at index: Int) -> Bool {
        guard index > 0 else { return false }
        if label[index - 1].properties.canonicalCombiningClass == .virama { return true }
        let cursive: ClosedRange<UInt32> = 0x600...0x8FF
        return label[index] == "\u{200C}" && index + 1 < label.count
            && cursive.contains(label[index - 1].value) && cursive.contains(label[index + 1].value)
    }

    /// What ends a host in a URL, or would be taken for something else (WHATWG URL, "forbidden domain code point").
    private static func isForbidden(_ byte: UInt8) -> Bool {
        byte <= 0x20 || byte == 0x7F || forbidden.contains(byte)
    }

    private static let forbidden = ByteSet("#/:<>?@[\\]^|%")
}

extension Unicode.Scalar {
    fileprivate var isMark: Bool {
        switch properties.generalCategory {
        case .nonspacingMark, .spacingMark, .enclosingMark: true
        default: false
        }
    }

    /// Zero width non-joiner and joiner.
    fileprivate var isJoiner: Bool { value == 0x200C || value == 0x200D }
}
