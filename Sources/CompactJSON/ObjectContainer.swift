/// An object that is open.
struct ObjectContainer<Key: CodingKey>: KeyedEncodingContainerProtocol {
    let writer: JSONWriter
    let container: OpenJSON.Container

    var codingPath: [any CodingKey] { [] }

    /// The place of a member's value.
    private func slot(_ key: some CodingKey) throws -> SlotEncoder {
        guard writer.begin(key.stringValue, in: container) else { throw EncodingError.closed(key) }
        return SlotEncoder(writer: writer, depth: container.depth)
    }

    func encodeNil(forKey key: Key) throws { try slot(key).encodeNil() }
    func encode(_ value: Bool, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: String, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Double, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Float, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int8, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int16, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int32, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int64, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: Int128, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt8, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt16, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt32, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt64, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: UInt128, forKey key: Key) throws { try slot(key).encode(value) }
    func encode(_ value: some Encodable, forKey key: Key) throws { try slot(key).encode(value) }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedEncodingContainer<Nested> {
        superEncoder(forKey: key).container(keyedBy: type)
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedEncodingContainer {
        superEncoder(forKey: key).unkeyedContainer()
    }

    func superEncoder() -> any Encoder { encoder(SuperKey()) }
    func superEncoder(forKey key: Key) -> any Encoder { encoder(key) }

    /// An encoder of a closed object has no place for its value, and says so when it gets one.
    private func encoder(_ key: some CodingKey) -> any Encoder {
        let isOpen = writer.begin(key.stringValue, in: container)
        return SlotEncoder(writer: writer, depth: isOpen ? container.depth : 0)
    }
}

/// The key that Swift's classes encode what they inherit under.
private struct SuperKey: CodingKey {
    var stringValue: String { "super" }
    var intValue: Int? { nil }

    init() {}
    init?(stringValue: String) { nil }
    init?(intValue: Int) { nil }
}
