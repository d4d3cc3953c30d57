/// What is wrong with a configuration document, and where.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// The document is no JSON object.
    case unreadable(String, place: Place? = nil)
    /// The document is no YAML that can be used.
    case malformed(String, place: Place)
    /// A key that means nothing here.
    case unknownKey(String, known: [String], place: Place? = nil)
    /// A key that one object has twice, so that it is not clear which is meant.
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
        package init(_ offset: Int, in text: String) {
            let before = text.utf8.prefix(offset)
            line = 1 + before.count { $0 == UInt8(ascii: "\n") }
            let start = before.lastIndex(of: UInt8(ascii: "\n")).map { before.index(after: $0) } ?? before.startIndex
            column = 1 + String(decoding: before[start...], as: UTF8.self).count
        }

        public var description: String { "line \(line), column \(column)" }
    }

    /// The same with the place of the key, or of its value, in the document that it is about.
    package func placed(in root: DocumentNode, of text: String) -> ConfigurationError {
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
        sentence(withPlace: true)
    }

    /// The same without the place, for callers that tell it in their own way.
    package var sentence: String { sentence(withPlace: false) }

    /// Where the mistake is; nil where it has no one place.
    package var place: Place? {
        switch self {
        case .unreadable(_, let place), .unknownKey(_, _, let place), .invalid(_, _, let place): place
        case .malformed(_, let place), .duplicateKey(_, _, let place): place
        case .rejected: nil
        }
    }

    /// The key that the mistake is about; nil where it is about none.
    package var key: String? {
        switch self {
        case .unknownKey(let key, _, _), .duplicateKey(let key, _, _), .invalid(let key, _, _): key
        case .unreadable, .malformed, .rejected: nil
        }
    }

    private func sentence(withPlace: Bool) -> String {
        let at = withPlace ? Self.at(place) : ""
        return switch self {
        case .unreadable(let reason, _): "the configuration is not a JSON object: \(reason)\(at)"
        case .malformed(let reason, _): "the configuration cannot be read: \(reason)\(at)"
        case .unknownKey(let key, let known, _):
            "the configuration's key \"\(Self.shown(key))\" is unknown\(at); \(Self.remedy(key, known))"
        case .duplicateKey(let key, let first, _) where !withPlace:
            "the configuration's key \"\(Self.shown(key))\" stands twice, first in \(first): leave one of them out"
        case .duplicateKey(let key, let first, let second):
            "the configuration's key \"\(Self.shown(key))\" stands twice, in \(first) and in \(second): leave one of them out"
        case .invalid(let key, let reason, _):
            "the configuration's \"\(Self.shown(key))\" cannot be used: \(reason)\(at)"
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
