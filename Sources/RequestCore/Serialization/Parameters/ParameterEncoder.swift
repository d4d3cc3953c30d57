public import FoundationEssentials

/// Turns an `Encodable` value into parameters, to be sent as a query, a form, JSON or a property list.
///
/// A `Decimal` becomes a number where it loses nothing. Where a `Double` would round it, or be written with an exponent, it
/// becomes text, also in JSON: with more than some 17 digits, from 2^64 on, and below 0.0001.
public struct ParameterEncoder: Sendable {
    /// How a date is written.
    public enum DateStyle: Sendable {
        /// As the type itself does: seconds since 2001.
        case deferred
        /// Seconds since 1970.
        case seconds
        /// Milliseconds since 1970.
        case milliseconds
        /// RFC 3339, such as `2026-11-21T08:20:00Z`.
        case iso8601
        case custom(@Sendable (Date) throws -> Parameter)

        /// As a format style of Foundation's writes it, such as `.formatted(.iso8601.year().month().day())`.
        public static func formatted<Style: FormatStyle & Sendable>(_ style: Style) -> DateStyle
        where Style.FormatInput == Date, Style.FormatOutput == String {
            .custom { .string(style.format($0)) }
        }
    }

    /// How data is written.
    public enum DataStyle: Sendable {
        /// As data, which a form sends as it is and a query in base64.
        case data
        /// As text in base64.
        case base64
        /// As the type itself does: an array of bytes.
        case deferred
        case custom(@Sendable (Data) throws -> Parameter)
    }

    /// How the names of properties are written.
    public enum KeyStyle: Sendable {
        case asDeclared
        /// `userName` becomes `user_name`.
        case snakeCase
        /// `userName` becomes `user-name`.
        case kebabCase
        case custom(@Sendable (String) -> String)
    }

    public var dates = DateStyle.deferred
    public var data = DataStyle.base64
    public var keys = KeyStyle.asDeclared

    public init() {}

    /// The parameters of a value that encodes itself with keys, such as a structure or a dictionary.
    public func parameters(_ value: some Encodable) throws(RequestSerializationError) -> Parameters {
        guard case .dictionary(let members) = try parameter(value) else {
            throw .invalidParameters(path: "at the top", reason: "\(type(of: value)) does not encode itself with keys")
        }
        return members
    }

    /// The tree of any value.
    public func parameter(_ value: some Encodable) throws(RequestSerializationError) -> Parameter {
        do {
            return try TreeEncoder(style: self, codingPath: []).encode(any: value)
        } catch {
            throw .encoding(error)
        }
    }

    func name(of key: some CodingKey) -> String {
        switch keys {
        case .asDeclared: key.stringValue
        case .snakeCase: Self.words(key.stringValue, joinedBy: "_")
        case .kebabCase: Self.words(key.stringValue, joinedBy: "-")
        case .custom(let rename): rename(key.stringValue)
        }
    }

    /// Splits before each capital that begins a word: `myURLProperty` is `my`, `url` and `property`.
    private static func words(_ text: String, joinedBy separator: String) -> String {
        let letters = Array(text)
        var words = ""
        for (index, letter) in letters.enumerated() {
            let isWordStart =
                index > 0 && letter.isUppercase
                && (!letters[index - 1].isUppercase || index + 1 < letters.count && letters[index + 1].isLowercase)
            if isWordStart, letters[index - 1] != "_" { words += separator }
            words += letter.lowercased()
        }
        return words
    }
}
