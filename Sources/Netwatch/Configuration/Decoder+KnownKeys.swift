extension Decoder {
    /// A container of known keys, after a look at what else is there.
    func container<Keys: CodingKey & CaseIterable>(
        refusingOthersThan keys: Keys.Type
    ) throws -> KeyedDecodingContainer<Keys> {
        let known = Set(Keys.allCases.map(\.stringValue))
        for key in try container(keyedBy: AnyKey.self).allKeys where !known.contains(key.stringValue) {
            let error = ConfigurationError.unknownKey(
                ConfigurationError.path(codingPath + [key]), known: known.sorted())
            throw DecodingError.dataCorrupted(
                .init(codingPath: codingPath + [key], debugDescription: "unknown key", underlyingError: error))
        }
        return try container(keyedBy: Keys.self)
    }
}

/// Any key of an object.
private struct AnyKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) {
        self.stringValue = stringValue
    }

    init?(intValue: Int) {
        nil
    }
}
