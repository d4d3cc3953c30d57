/// What is written as one text, in a configuration as on the command line.
extension PublicKeyPin: Codable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(SecurityError) in try PublicKeyPin(text) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(text: description)
    }
}

extension HostPattern: Codable, CodingKeyRepresentable {
    public init(from decoder: any Decoder) throws {
        self = try decoder.text { text throws(SecurityError) in try HostPattern(text) }
    }

    public func encode(to encoder: any Encoder) throws {
        try encoder.encode(text: description)
    }

    public var codingKey: any CodingKey { TextKey(stringValue: description) }

    public init?(codingKey: some CodingKey) {
        try? self.init(codingKey.stringValue)
    }
}

/// A key of any text.
struct TextKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}

extension Decoder {
    /// A value made of one text.
    fileprivate func text<Value>(_ make: (String) throws(SecurityError) -> Value) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        do { return try make(text) } catch { throw corrupted("\(error)") }
    }

    func corrupted(_ problem: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
    }

    /// A misspelt member must not leave a policy weaker than it was meant.
    func refuseUnknownKeys<Key: CodingKey & CaseIterable>(_ known: Key.Type) throws {
        let names = Set(known.allCases.map(\.stringValue))
        for key in try container(keyedBy: TextKey.self).allKeys where !names.contains(key.stringValue) {
            throw corrupted(
                "\"\(key.stringValue)\" is not known: write \(names.sorted().joined(separator: ", "))")
        }
    }
}

extension Encoder {
    fileprivate func encode(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
