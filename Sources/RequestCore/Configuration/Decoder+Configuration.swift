/// What configurations are read with.

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
    func text<Value, Failure: Error>(_ make: (String) throws(Failure) -> Value) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        do { return try make(text) } catch { throw corrupted("\(error)") }
    }

    func corrupted(_ problem: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
    }

    /// Throws where there is another member than those known: a misspelt one must not leave things as they were.
    func refuseUnknownKeys<Key: CodingKey & CaseIterable>(_ known: Key.Type) throws {
        let names = Set(known.allCases.map(\.stringValue))
        for key in try container(keyedBy: TextKey.self).allKeys where !names.contains(key.stringValue) {
            throw corrupted(
                "\"\(key.stringValue)\" is not known: write \(names.sorted().joined(separator: ", "))")
        }
    }
}

extension Encoder {
    func encode(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
