/// What is wrong with a configuration document, and where.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// The document is no JSON object.
    case unreadable(String)
    /// A key that means nothing here.
    case unknownKey(String, known: [String], place: Place? = nil)
    /// A key that one object has twice, of which nobody can tell which is meant.
    case duplicateKey(String, first: Place, second: Place)
    /// A value that its key cannot have.
    case invalid(key: String, reason: String, place: Place? = nil)
    /// The values do not go together.
    case rejected(String)

    /// A place in the document, counted from 1 in lines and in characters.
    public struct Place: Hashable, Sendable, CustomStringConvertible {
        public let line: Int
        public let column: Int

        /// - Parameter offset: In bytes of UTF-8.
        init(_ offset: Int, in text: String) {
            let before = text.utf8.prefix(offset)
            line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
            column = 1 + String(decoding: before[start...], as: UTF8.self).count
        }

        public var description: String { "line \(line), column \(column)" }
    }

    /// The same with the place of the key, or of its value, in the document that it is about.
    func placed(in root: DocumentNode, of text: String) -> ConfigurationError {
        switch self {
        case .unknownKey(let key, let known, nil):
            .unknownKey(key, known: known, place: Place(root.offset(of: key[...], isKey: true), in: text))
        case .invalid(let key, let reason, nil):
            .invalid(key: key, reason: reason, place: Place(root.offset(of: key[...], isKey: false), in: text))
        default: self
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "the configuration is not a JSON object: \(reason)"
        case .unknownKey(let key, let known, let place):
            "the configuration's key \"\(Self.shown(key))\" is unknown\(Self.at(place)); \(Self.remedy(key, known))"
        case .duplicateKey(let key, let first, let second):
            "the configuration's key \"\(Self.shown(key))\" stands twice, in \(first) and in \(second): leave one of them out"
        case .invalid(let key, let reason, let place):
            "the configuration's \"\(Self.shown(key))\" cannot be used: \(reason)\(Self.at(place))"
        case .rejected(let reason): "the configuration cannot be used: \(reason)"
        }
    }

    private static func at(_ place: Place?) -> String { place.map { ", in \($0)" } ?? "" }

    private static func shown(_ key: String) -> String {
        let key = DisplayableText.escaped(key)
        return key.count <= 200 ? key : "\(key.prefix(100))…"
    }

    private static func remedy(_ key: String, _ known: [String]) -> String {
        let name = key.split(separator: ".", omittingEmptySubsequences: false).last.map(String.init) ?? key
        let suggestion = KeySuggestion.suggestion(for: name, among: known).map { "did you mean \"\($0)\"? Known" }
        return "\(suggestion ?? "known") are \(known.joined(separator: ", "))"
    }
}
