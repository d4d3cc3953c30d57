extension Decoder {
    /// A value made of one text.
    package func text<Value, Failure: Error>(_ make: (String) throws(Failure) -> Value) throws -> Value {
        let text = try singleValueContainer().decode(String.self)
        do { return try make(text) } catch { throw corrupted("\(error)") }
    }

    package func corrupted(_ problem: String) -> DecodingError {
        .dataCorrupted(.init(codingPath: codingPath, debugDescription: problem))
    }

    /// Throws where there is another member than those known: a misspelt one must not leave things as they were.
    package func refuseUnknownKeys<Key: CodingKey & CaseIterable>(_ known: Key.Type) throws {
        guard let key = try unknownKey(besides: known) else { return }
        let names = known.allCases.map(\.stringValue).sorted()
        throw corrupted("\"\(key.stringValue)\" is not known: write \(names.joined(separator: ", "))")
    }

    /// A member that is none of those known; nil where there is none.
    package func unknownKey<Key: CodingKey & CaseIterable>(besides known: Key.Type) throws -> (any CodingKey)? {
        let names = Set(known.allCases.map(\.stringValue))
        return try container(keyedBy: TextKey.self).allKeys.first { !names.contains($0.stringValue) }
    }
}

extension Encoder {
    package func encode(text: String) throws {
        var container = singleValueContainer()
        try container.encode(text)
    }
}
