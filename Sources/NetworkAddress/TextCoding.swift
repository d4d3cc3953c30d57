extension Decoder {
    /// Reads a value from its text form; the error names what was expected and what was found.
    func decodeText<Value: LosslessStringConvertible>(_ expected: String) throws -> Value {
        let container = try singleValueContainer()
        let text = try container.decode(String.self)
        guard let value = Value(text) else {
            throw DecodingError.dataCorruptedError(
                in: container, debugDescription: "expected \(expected), found \"\(text)\"")
        }
        return value
    }
}

extension Encoder {
    /// Writes a value as its text form.
    func encodeText(_ value: some LosslessStringConvertible) throws {
        var container = singleValueContainer()
        try container.encode(value.description)
    }
}
