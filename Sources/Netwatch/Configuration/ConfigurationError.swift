/// What is wrong with a configuration document, and where.
public enum ConfigurationError: Error, Hashable, Sendable {
    /// The document is no JSON object.
    case unreadable(String)
    /// A key that means nothing here.
    case unknownKey(String, known: [String])
    /// A value that its key cannot have.
    case invalid(key: String, reason: String)
    /// The values do not go together.
    case rejected(String)

    init(_ error: DecodingError) {
        switch error {
        case .dataCorrupted(let context) where context.underlyingError is ConfigurationError:
            self = context.underlyingError as? ConfigurationError ?? .unreadable(context.debugDescription)
        case .dataCorrupted(let context) where context.codingPath.isEmpty:
            self = .unreadable(context.debugDescription)
        case .typeMismatch(_, let context) where context.codingPath.isEmpty,
            .valueNotFound(_, let context) where context.codingPath.isEmpty:
            self = .unreadable("it has to begin with { and end with }")
        case .dataCorrupted(let context), .typeMismatch(_, let context), .valueNotFound(_, let context):
            self = .invalid(key: Self.path(context.codingPath), reason: context.debugDescription)
        case .keyNotFound(let key, let context):
            self = .invalid(key: Self.path(context.codingPath + [key]), reason: "it is missing")
        @unknown default:
            self = .unreadable("\(error)")
        }
    }

    static func path(_ keys: [any CodingKey]) -> String {
        keys.reduce(into: "") { path, key in
            if let index = key.intValue {
                path += "[\(index)]"
            } else {
                path += (path.isEmpty ? "" : ".") + key.stringValue
            }
        }
    }
}

extension ConfigurationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let reason): "the configuration is not a JSON object: \(reason)"
        case .unknownKey(let key, let known):
            "the configuration's key \"\(key)\" is unknown; known are \(known.joined(separator: ", "))"
        case .invalid(let key, let reason): "the configuration's \"\(key)\" cannot be used: \(reason)"
        case .rejected(let reason): "the configuration cannot be used: \(reason)"
        }
    }
}
