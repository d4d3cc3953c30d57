import RequestCore

extension Decoder {
    /// A container of known keys, after a look at what else is there.
    func container<Keys: CodingKey & CaseIterable>(
        refusingOthersThan keys: Keys.Type
    ) throws -> KeyedDecodingContainer<Keys> {
        guard let key = try unknownKey(besides: keys) else { return try container(keyedBy: Keys.self) }
        let error = ConfigurationError.unknownKey(
            ConfigurationError.path(codingPath + [key]), known: keys.allCases.map(\.stringValue).sorted())
        throw DecodingError.dataCorrupted(
            .init(codingPath: codingPath + [key], debugDescription: "unknown key", underlyingError: error))
    }
}
