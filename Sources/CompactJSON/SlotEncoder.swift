/// What a value encodes itself with: the place of one value that is awaited.
struct SlotEncoder: Encoder {
    let writer: JSONWriter
    /// How many containers are open around the place.
    let depth: Int

    /// The path is not kept: what goes wrong here, a number that is not finite, is told by its own value.
    var codingPath: [any CodingKey] { [] }
    var userInfo: [CodingUserInfoKey: Any] { [:] }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        KeyedEncodingContainer(ObjectContainer(writer: writer, container: writer.openObject(at: depth)))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        ArrayContainer(writer: writer, container: writer.openArray(at: depth))
    }

    func singleValueContainer() -> any SingleValueEncodingContainer { self }

    private func write<Value>(_ value: Value, _ append: (inout ByteBuffer) -> Void) throws {
        guard writer.write(at: depth, append) else { throw EncodingError.closed(value) }
    }
}

extension SlotEncoder: SingleValueEncodingContainer {
    func encodeNil() throws { try write(Bool?.none) { JSONText.appendNull(to: &$0) } }
    func encode(_ value: Bool) throws { try write(value) { JSONText.append(value, to: &$0) } }
    func encode(_ value: String) throws { try write(value) { JSONText.append(value, to: &$0) } }
    func encode(_ value: Double) throws { try encode(finite: value) }
    func encode(_ value: Float) throws { try encode(finite: value) }
    func encode(_ value: Int) throws { try encode(whole: value) }
    func encode(_ value: Int8) throws { try encode(whole: value) }
    func encode(_ value: Int16) throws { try encode(whole: value) }
    func encode(_ value: Int32) throws { try encode(whole: value) }
    func encode(_ value: Int64) throws { try encode(whole: value) }
    func encode(_ value: Int128) throws { try encode(whole: value) }
    func encode(_ value: UInt) throws { try encode(whole: value) }
    func encode(_ value: UInt8) throws { try encode(whole: value) }
    func encode(_ value: UInt16) throws { try encode(whole: value) }
    func encode(_ value: UInt32) throws { try encode(whole: value) }
    func encode(_ value: UInt64) throws { try encode(whole: value) }
    func encode(_ value: UInt128) throws { try encode(whole: value) }

    func encode<Value: Encodable>(_ value: Value) throws {
        guard let shelf = writer.shelf(for: Value.self) else { return try value.encode(to: self) }
        guard !writer.reuse(value, from: shelf, at: depth) else { return }
        let start = writer.end
        try value.encode(to: self)
        writer.keep(value, on: shelf, from: start, at: depth)
    }

    private func encode(whole value: some FixedWidthInteger) throws {
        try write(value) { JSONText.append(value, to: &$0) }
    }

    private func encode(finite value: some FloatingPoint & CustomStringConvertible) throws {
        guard value.isFinite else { throw EncodingError.notFinite(value) }
        try write(value) { JSONText.append(value, to: &$0) }
    }
}

extension EncodingError {
    /// JSON has no such number.
    static func notFinite(_ value: Any) -> EncodingError {
        .invalidValue(value, Context(codingPath: [], debugDescription: "\(value) has no form in JSON"))
    }

    /// The place of the value was taken before, or its container has ended.
    static func closed(_ value: Any) -> EncodingError {
        .invalidValue(value, Context(codingPath: [], debugDescription: "there is no place for a value any more"))
    }
}
