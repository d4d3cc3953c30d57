import JSON

/// A value of a configuration document, and where it stands in the text.
package struct DocumentNode: Sendable {
    package enum Value: Sendable {
        case null
        case flag(Bool)
        /// As it is written: what it is worth depends on what is wanted.
        case number(String)
        case string(String)
        /// Without quotes in YAML: it has the type that its key wants.
        case plain(String)
        case list([DocumentNode])
        case object([Member])
    }

    /// A key of an object with its value.
    package struct Member: Sendable {
        package let key: String
        /// Where the key begins, in bytes from the beginning of the text.
        package let offset: Int
        package let value: DocumentNode

        package init(key: String, offset: Int, value: DocumentNode) {
            self.key = key
            self.offset = offset
            self.value = value
        }
    }

    package let value: Value
    /// Where it begins, likewise.
    package let offset: Int

    package init(value: Value, offset: Int) {
        self.value = value
        self.offset = offset
    }

    var isNull: Bool { if case .null = value { true } else { false } }

    /// What it is, as the end of a sentence: so much of it as fits there.
    package var found: String {
        switch value {
        case .null: "null"
        case .flag(let flag): "\(flag)"
        case .plain(let text) where text.utf8.count <= 60: DisplayableText.escaped(text)
        case .plain(let text): "a text of \(text.utf8.count) bytes"
        case .number(let text): text.count <= 40 ? text : "a number of \(text.count) characters"
        case .string(let text):
            text.utf8.count <= 60
                ? "\"\(DisplayableText.escaped(text))\"" : "a string of \(text.utf8.count) bytes"
        case .list: "a list"
        case .object: "an object"
        }
    }
}

extension DocumentNode {
    // MARK: What it is worth to a key that wants such a value

    package var text: String? {
        switch value {
        case .string(let text), .plain(let text): text
        default: nil
        }
    }

    package var flag: Bool? {
        switch value {
        case .flag(let flag): flag
        case .plain("true"): true
        case .plain("false"): false
        default: nil
        }
    }

    /// A number as JSON writes them: `012`, `0x10` and `1_000` are none, because readers differ over what they are worth.
    var number: String? {
        switch value {
        case .number(let text): text
        case .plain(let text): JSONValue.isNumber(text.utf8) ? text : nil
        default: nil
        }
    }

    /// Where what a path names begins, such as `targets[0].url`; where that is not there, where what it would be in does.
    ///
    /// - Parameter isKey: Whether the key is meant, and not its value.
    package func offset(of path: Substring, isKey: Bool) -> Int {
        guard !path.isEmpty, let step = step(into: path) else { return offset }
        return isKey && step.rest.isEmpty ? step.offset : step.node.offset(of: step.rest, isKey: isKey)
    }

    /// Whether what a path names is there; `null` is as if it were not.
    package func holds(_ path: Substring) -> Bool {
        guard !path.isEmpty else { return !isNull }
        return step(into: path).map { $0.node.holds($0.rest) } ?? false
    }

    /// The first part of a path: where it begins, what it is, and what is left of the path.
    private func step(into path: Substring) -> (offset: Int, node: DocumentNode, rest: Substring)? {
        switch value {
        case .object where path.hasPrefix("[0]"):
            // The only one of a list, written without the list.
            return (offset, self, path.dropFirst(3))
        case .object(let members):
            // Keys of other people's, as the names of interfaces, may hold a dot.
            let path = path.first == "." ? path.dropFirst() : path
            let next = members.filter { path.hasPrefix($0.key) && Self.isEnd(path.dropFirst($0.key.count)) }
                .max { $0.key.count < $1.key.count }
            return next.map { ($0.offset, $0.value, path.dropFirst($0.key.count)) }
        case .list(let elements):
            guard path.first == "[", let end = path.firstIndex(of: "]"),
                let index = Int(path[path.index(after: path.startIndex)..<end]), elements.indices.contains(index)
            else { return nil }
            return (elements[index].offset, elements[index], path[path.index(after: end)...])
        case .null, .flag, .number, .string, .plain: return nil
        }
    }

    private static func isEnd(_ rest: Substring) -> Bool { rest.isEmpty || rest.first == "." || rest.first == "[" }
}

/// A text from a document as an error shows it.
package enum DisplayableText {
    /// With an escape sequence in the place of each control character, which would speak to the reader's terminal.
    package static func escaped(_ text: String) -> String {
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
