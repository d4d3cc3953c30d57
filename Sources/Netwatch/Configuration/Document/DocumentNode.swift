/// A value of a configuration document, and where it stands in the text.
struct DocumentNode: Sendable {
    enum Value: Sendable {
        case null
        case flag(Bool)
        /// As it is written: what it is worth depends on what is wanted.
        case number(String)
        case string(String)
        case list([DocumentNode])
        case object([Member])
    }

    /// A key of an object with its value.
    struct Member: Sendable {
        let key: String
        /// Where the key begins, in bytes from the beginning of the text.
        let offset: Int
        let value: DocumentNode
    }

    let value: Value
    /// Where it begins, likewise.
    let offset: Int

    var isNull: Bool { if case .null = value { true } else { false } }

    /// What it is, as the end of a sentence: so much of it as fits there.
    var found: String {
        switch value {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .number(let text): text.count <= 40 ? text : "a number of \(text.count) characters"
        case .string(let text):
            text.utf8.count <= 60
                ? "\"\(DisplayableText.escaped(text))\"" : "a string of \(text.utf8.count) bytes"
        case .list: "a list, [...]"
        case .object: "an object, {...}"
        }
    }
}

extension DocumentNode {
    /// Where what a path names begins, such as `targets[0].url`; where that is not there, where what it would be in does.
    ///
    /// - Parameter isKey: Whether the key is meant, and not its value.
    func offset(of path: Substring, isKey: Bool) -> Int {
        guard !path.isEmpty else { return offset }
        switch value {
        case .object(let members):
            // Keys of other people's, as the names of interfaces, may hold a dot.
            let path = path.first == "." ? path.dropFirst() : path
            let next = members.filter { path.hasPrefix($0.key) && Self.isEnd(path.dropFirst($0.key.count)) }
                .max { $0.key.count < $1.key.count }
            guard let next else { return offset }
            let rest = path.dropFirst(next.key.count)
            return isKey && rest.isEmpty ? next.offset : next.value.offset(of: rest, isKey: isKey)
        case .list(let elements):
            guard path.first == "[", let end = path.firstIndex(of: "]"),
                let index = Int(path[path.index(after: path.startIndex)..<end]), elements.indices.contains(index)
            else { return offset }
            return elements[index].offset(of: path[path.index(after: end)...], isKey: isKey)
        case .null, .flag, .number, .string: return offset
        }
    }

    private static func isEnd(_ rest: Substring) -> Bool { rest.isEmpty || rest.first == "." || rest.first == "[" }
}

/// A text from a document as an error shows it.
enum DisplayableText {
    /// With an escape sequence in the place of each control character, which would speak to the reader's terminal.
    static func escaped(_ text: String) -> String {
        String(
            String.UnicodeScalarView(
                text.unicodeScalars.flatMap { scalar -> String.UnicodeScalarView in
                    guard scalar.properties.generalCategory == .control else {
                        return String.UnicodeScalarView([scalar])
                    }
                    let digits = String(scalar.value, radix: 16)
                    return ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
                }))
    }
}
