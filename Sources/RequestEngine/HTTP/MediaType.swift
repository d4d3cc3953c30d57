/// A media type (RFC 9110 section 8.3.1): `type/subtype` with parameters, trimmed and in small letters.
///
/// In a list of acceptable types either half may be `*`.
public struct MediaType: Hashable, Sendable {
    public let type: String
    public let subtype: String
    /// The parameters in order, names in small letters, values unquoted and in the case they were given.
    public let parameters: [Parameter]

    /// One parameter, such as `charset=utf-8`.
    public struct Parameter: Hashable, Sendable {
        public let name: String
        public let value: String
    }

    public init(_ type: String, _ subtype: String, parameters: [Parameter] = []) {
        self.type = type.lowercased()
        self.subtype = subtype.lowercased()
        self.parameters = parameters
    }

    /// The value of a parameter, its name in small letters.
    public subscript(parameter: String) -> String? {
        parameters.first { $0.name == parameter }?.value
    }

    /// The `charset` parameter in small letters.
    public var charset: String? { self["charset"]?.lowercased() }

    /// `type/subtype` without parameters.
    public var essence: String { "\(type)/\(subtype)" }

    /// Whether this type is one that a pattern names, such as `image/*` or `application/*+json`. Parameters do not count.
    public func matches(_ pattern: MediaType) -> Bool {
        Self.matches(type, pattern.type) && Self.matches(subtype, pattern.subtype)
    }

    private static func matches(_ half: String, _ pattern: String) -> Bool {
        pattern == half || pattern == "*" || pattern.hasPrefix("*+") && half.hasSuffix(pattern.dropFirst())
    }
}

extension MediaType: LosslessStringConvertible {
    /// Reads a `Content-Type`, or nil where it is not one: a single word is none.
    public init?(_ text: String) {
        var parser = FieldParser(text)
        guard let type = parser.token(), parser.skip("/"), let subtype = parser.token() else { return nil }
        let parameters = parser.parameters().map { Parameter(name: $0.name, value: $0.value) }
        guard parser.isAtEnd else { return nil }
        self.init(type, subtype, parameters: parameters)
    }

    public var description: String {
        parameters.reduce(essence) { "\($0); \($1.name)=\(FieldParser.quoted($1.value))" }
    }
}

extension MediaType {
    public static let any = MediaType("*", "*")
    public static let form = MediaType("application", "x-www-form-urlencoded")
    public static let json = MediaType("application", "json")
    public static let octetStream = MediaType("application", "octet-stream")
    public static let propertyList = MediaType("application", "x-plist")
}
