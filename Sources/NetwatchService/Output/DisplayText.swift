/// Text from outside, made safe for a terminal: the kernel allows escape sequences in a link's name.
enum DisplayText {
    static func safe(_ text: String) -> String {
        guard text.unicodeScalars.contains(where: isUnsafe) else { return text }
        return String(String.UnicodeScalarView(text.unicodeScalars.map { isUnsafe($0) ? "\u{FFFD}" : $0 }))
    }

    /// C0 and C1 controls, line and paragraph separators, and the characters that change the direction of writing.
    private static func isUnsafe(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.value {
        case 0..<0x20, 0x7F..<0xA0, 0x061C, 0x200E...0x200F, 0x2028...0x202E, 0x2066...0x2069: true
        default: false
        }
    }

    /// The same in ASCII, for a terminal that may know no more.
    static func ascii(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 >= 0x80 }) else { return text }
        return String(
            String.UnicodeScalarView(text.unicodeScalars.map { $0.isASCII ? $0 : $0 == "µ" ? "u" : "?" }))
    }
}

extension UInt64 {
    /// A duration in nanoseconds for people: `23 ms`, `1.4 s`, `180 µs`.
    var durationText: String {
        switch self {
        case ..<1_000_000: "\(self / 1000) µs"
        case ..<1_000_000_000: "\(self / 1_000_000) ms"
        default: "\(self / 1_000_000_000).\(self % 1_000_000_000 / 100_000_000) s"
        }
    }

    /// How long ago something was, in nanoseconds, in one number: `12s`, `3m`, `2h`, `5d`.
    var ageText: String {
        let seconds = self / 1_000_000_000
        return switch seconds {
        case ..<60: "\(seconds)s"
        case ..<3600: "\(seconds / 60)m"
        case ..<86_400: "\(seconds / 3600)h"
        default: "\(seconds / 86_400)d"
        }
    }
}
