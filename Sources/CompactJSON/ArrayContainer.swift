/// An array that is open.
struct ArrayContainer: UnkeyedEncodingContainer {
    let writer: JSONWriter
    let container: OpenJSON.Container

    var codingPath: [any CodingKey] { [] }
    var count: Int { writer.count(of: container) }

    /// The place of the next element.
    private func slot() throws -> SlotEncoder {
        guard writer.beginElement(in: container) else { throw EncodingError.closed("an element") }
        return SlotEncoder(writer: writer, depth: container.depth)
    }

    func encodeNil() throws { try slot().encodeNil() }
    func encode(_ value: Bool) throws { try slot().encode(value) }
    func encode(_ value: String) throws { try slot().encode(value) }
    func encode(_ value: Double) throws { try slot().encode(value) }
    func encode(_ value: Float) throws { try slot().encode(value) }
    func encode(_ value: Int) throws { try slot().encode(value) }
    func encode(_ value: Int8) throws { try slot().encode(value) }
    func encode(_ value: Int16) throws { try slot().encode(value) }
    func encode(_ value: Int32) throws { try slot().encode(value) }
    func encode(_ value: Int64) throws { try slot().encode(value) }
    func encode(_ value: Int128) throws { try slot().encode(value) }
    func encode(_ value: UInt) throws { try slot().encode(value) }
    func encode(_ value: UInt8) throws { try slot().encode(value) }
    func encode(_ value: UInt16) throws { try slot().encode(value) }
    func encode(_ value: UInt32) throws { try slot().encode(value) }
    func encode(_ value: UInt64) throws { try slot().encode(value) }
    func encode(_ value: UInt128) throws { try slot().encode(value) }
    func encode(_ value: some Encodable) throws { try slot().encode(value) }

    func nestedContainer<Nested: CodingKey>(keyedBy type: Nested.Type) -> KeyedEncodingContainer<Nested> {
        superEncoder().container(keyedBy: type)
    }

    func nestedUnkeyedContainer() -> any UnkeyedEncodingContainer {
        superEncoder().unkeyedContainer()
    }

    func superEncoder() -> any Encoder {
        SlotEncoder(writer: writer, depth: writer.beginElement(in: container) ? container.depth : 0)
    }
}
