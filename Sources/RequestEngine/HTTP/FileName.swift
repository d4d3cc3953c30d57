/// A name that a file can be given without leaving its folder or being hidden (RFC 6266 section 4.3).
public struct FileName: Hashable, Sendable {
    public let rawValue: String

    /// What is left of a name once it is made safe: its last segment, without control characters and what turns the
    /// direction of writing, without dots before it and blanks about it, in at most 255 bytes (`NAME_MAX`) of which the
    /// extension is kept. Nil where nothing is left.
    ///
    /// It looks at scalars, not characters: a `/` with an accent is one character, and still a `/` to the kernel.
    public init?(_ untrusted: String) {
        let segment = untrusted.unicodeScalars.split { $0 == "/" || $0 == "\\" }.last ?? Substring().unicodeScalars
        let visible = segment.filter(Self.isVisible)
        let name = visible.drop { $0 == "." || $0.properties.isWhitespace }
        let end = name.lastIndex { !$0.properties.isWhitespace }.map(name.index(after:)) ?? name.startIndex
        rawValue = Self.shorten(String(name[..<end]))
        // One character may be longer than a whole name.
        guard let first = rawValue.unicodeScalars.first, first != "." else { return nil }
    }

    private static let maximumBytes = 255

    private static func isVisible(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: false
        default: true
        }
    }

    /// Takes characters away before the extension, none of them in half.
    private static func shorten(_ name: String) -> String {
        guard name.utf8.count > maximumBytes else { return name }
        let dot = name.lastIndex(of: ".") ?? name.endIndex
        let suffix = name[dot...].utf8.count <= 32 ? name[dot...] : ""
        var stem = name[..<dot]
        if suffix.isEmpty { stem = name[...] }
        return String(prefix(of: stem, bytes: maximumBytes - suffix.utf8.count) + suffix)
    }

    /// As many characters as these bytes hold.
    private static func prefix(of text: Substring, bytes: Int) -> Substring {
        var end = text.startIndex
        var left = bytes
        for index in text.indices {
            left -= text[index].utf8.count
            guard left >= 0 else { break }
            end = text.index(after: index)
        }
        return text[..<end]
    }
}
