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

extension KeyedDecodingContainer {
    /// A whole number, or what stands there instead of one: the decoder calls the whole document no JSON for it.
    func wholeNumber(forKey key: Key) throws -> Int? {
        let found: Double?
        do {
            found = try decodeIfPresent(Double.self, forKey: key)
        } catch DecodingError.typeMismatch {
            throw DecodingError.dataCorruptedError(forKey: key, in: self, debugDescription: "expected a whole number")
        }
        guard let number = found else { return nil }
        guard let whole = Int(exactly: number) else {
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected a whole number, found \(number)")
        }
        return whole
    }

    /// One of a few words.
    func word<Word: RawRepresentable<String> & CaseIterable>(_: Word.Type, forKey key: Key) throws -> Word? {
        guard let text = try decodeIfPresent(String.self, forKey: key) else { return nil }
        guard let word = Word(rawValue: text) else {
            let known = Word.allCases.map { "\"\($0.rawValue)\"" }.joined(separator: ", ")
            throw DecodingError.dataCorruptedError(
                forKey: key, in: self, debugDescription: "expected one of \(known), found \"\(text)\"")
        }
        return word
    }
}
