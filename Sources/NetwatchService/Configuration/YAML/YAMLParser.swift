package import Netwatch

/// Reads a configuration document in YAML, with the place of everything in it.
///
/// Only what means the same to every reader is taken: no anchors, no tags, no tabs between the parts, one document. A text
/// without quotes has the type that its key wants, so that `no` and `012` are what is written there.
package struct YAMLParser {
    /// Far more than a document has.
    private static let deepest = 100

    private let text: String
    private let bytes: [UInt8]
    private let reader: YAMLEventReader
    private var position: YAMLPosition
    /// Up to where no tab stands between the parts, in bytes.
    private var checked = 0
    /// What is open, from the outside in: the key or the index of what is read in it.
    private var path: [String] = []

    private init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
        reader = YAMLEventReader(bytes)
        position = YAMLPosition(bytes)
    }

    /// - Throws: ``ConfigurationError`` with line and column of the first mistake.
    package static func parse(_ text: String) throws(ConfigurationError) -> DocumentNode {
        var parser = YAMLParser(text)
        return try parser.document()
    }

    /// A text in which there is nothing, or only comments, is an object without a key.
    private mutating func document() throws(ConfigurationError) -> DocumentNode {
        _ = try next()
        let start = try next()
        guard case .documentStart = start.event.kind else { return DocumentNode(value: .object([]), offset: 0) }
        let root = try value(try next())
        _ = try next()
        let end = try next()
        guard case .streamEnd = end.event.kind else {
            throw malformed("a second document begins here; one is all that is read", at: end.offset)
        }
        switch root.value {
        case .object: return root
        case .null: return DocumentNode(value: .object([]), offset: 0)
        default:
            throw malformed("expected keys with values, as in \"interval: 30s\", found \(root.found)", at: root.offset)
        }
    }

    // MARK: Values

    /// An event, and where it begins, in bytes.
    private struct Step {
        let event: YAMLEvent
        let offset: Int
    }

    private mutating func value(_ step: Step) throws(ConfigurationError) -> DocumentNode {
        let value: DocumentNode.Value =
            switch step.event.kind {
            case .scalar(let text, isPlain: true): Self.nulls.contains(text) ? .null : .plain(text)
            case .scalar(let text, isPlain: false): .string(text)
            case .listStart: .list(try elements(at: step.offset))
            case .objectStart: .object(try members(at: step.offset))
            default: throw malformed("expected a value", at: step.offset)
            }
        return DocumentNode(value: value, offset: step.offset)
    }

    /// What stands for nothing at all.
    private static let nulls: Set<String> = ["", "~", "null"]

    private mutating func elements(at offset: Int) throws(ConfigurationError) -> [DocumentNode] {
        var elements: [DocumentNode] = []
        while case let step = try next(), !step.event.isListEnd {
            try enter("[\(elements.count)]", at: offset)
            elements.append(try value(step))
            path.removeLast()
        }
        return elements
    }

    private mutating func members(at offset: Int) throws(ConfigurationError) -> [DocumentNode.Member] {
        var members: [DocumentNode.Member] = []
        var places: [String: Int] = [:]
        while case let step = try next(), !step.event.isObjectEnd {
            guard case .scalar(let key, _) = step.event.kind else {
                throw malformed("a key has to be a word, not a list or an object", at: step.offset)
            }
            try enter(path.isEmpty ? key : "." + key, at: offset)
            if let first = places[key] {
                throw .duplicateKey(
                    path.joined(), first: .init(first, in: text), second: .init(step.offset, in: text))
            }
            places[key] = step.offset
            members.append(.init(key: key, offset: step.offset, value: try value(try next())))
            path.removeLast()
        }
        return members
    }

    private mutating func enter(_ step: String, at offset: Int) throws(ConfigurationError) {
        guard path.count < Self.deepest else {
            throw malformed("it is nested deeper than \(Self.deepest) levels", at: offset)
        }
        path.append(step)
    }

    // MARK: Events

    private mutating func next() throws(ConfigurationError) -> Step {
        let event: YAMLEvent
        do throws(YAMLFailure) { event = try reader.next() } catch { throw mistake(error) }
        let offset = position.byte(of: event.start)
        try checkForTabs(upTo: offset)
        switch event.kind {
        case .scalar(_, isPlain: false): checked = position.byte(of: event.end)
        case .scalar: try checkForTabs(upTo: position.byte(of: event.end))
        case .alias: throw malformed("*NAME refers to another place; write the value itself here", at: offset)
        default: break
        }
        if event.hasAnchor { throw malformed("&NAME marks a place; anchors are not read here", at: offset) }
        if event.hasTag { throw malformed("!TAG gives a type; the key decides the type here", at: offset) }
        return Step(event: event, offset: offset)
    }

    /// Some readers take a tab for a blank, and some for none.
    private mutating func checkForTabs(upTo end: Int) throws(ConfigurationError) {
        var isComment = false
        while checked < end {
            switch bytes[checked] {
            case UInt8(ascii: "#"): isComment = true
            case UInt8(ascii: "\n"), UInt8(ascii: "\r"): isComment = false
            case UInt8(ascii: "\t") where !isComment: throw tab(at: checked)
            default: break
            }
            checked += 1
        }
    }

    private func tab(at offset: Int) -> ConfigurationError {
        malformed("a tab stands here; use blanks, and quotes round a text with a tab in it", at: offset)
    }

    private mutating func mistake(_ failure: YAMLFailure) -> ConfigurationError {
        let offset =
            switch failure.place {
            case .scalar(let index): position.byte(of: index)
            case .byte(let offset): min(offset, bytes.count)
            }
        if offset < bytes.count, bytes[offset] == UInt8(ascii: "\t") { return tab(at: offset) }
        return malformed(Self.words[failure.reason] ?? "it is not YAML: \(failure.reason)", at: offset)
    }

    /// What libyaml says, in words that lead to the mistake.
    private static let words = [
        "mapping values are not allowed in this context":
            "a \": \" stands where no key can be; indent it as its neighbours, or put the text in quotes",
        "could not find expected ':'": "a key without \":\" stands just before this",
        "found unexpected end of stream": "the text in quotes that begins here does not end",
        "did not find expected key": "expected a key here; look at the indentation and at quotes",
        "did not find expected '-' indicator": "expected \"- \" here, as before the list's other elements",
        "found character that cannot start any token": "a text that begins with this character needs quotes",
    ]

    private func malformed(_ reason: String, at offset: Int) -> ConfigurationError {
        .malformed(reason, place: .init(offset, in: text))
    }
}

extension YAMLEvent {
    fileprivate var isListEnd: Bool { if case .listEnd = kind { true } else { false } }
    fileprivate var isObjectEnd: Bool { if case .objectEnd = kind { true } else { false } }
}
