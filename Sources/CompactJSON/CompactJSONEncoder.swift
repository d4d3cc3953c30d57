/// Encodes values as JSON in one line: keys sorted by their bytes, no blanks, slashes as they are.
///
/// It writes byte for byte what Foundation's `JSONEncoder` does with `[.sortedKeys, .withoutEscapingSlashes]`, at a tenth of
/// the time: bytes are appended where they belong at once, and no tree of values is made before. Types that `JSONEncoder`
/// treats otherwise than they ask for themselves (`Date`, `Data`, `URL`, `Decimal`) are not for this one.
public struct CompactJSONEncoder: Sendable {
    public init() {}

    /// The value as JSON, without a line feed.
    ///
    /// - Throws: `EncodingError` where a number is not finite, or the value encodes itself twice.
    public func encode(_ value: some Encodable) throws -> [UInt8] {
        var none = JSONFragments()
        return try encode(value, reusing: &none)
    }

    /// The same with the JSON of those parts that were encoded before, and are kept.
    public func encode(_ value: some Encodable, reusing fragments: inout JSONFragments) throws -> [UInt8] {
        let writer = JSONWriter(fragments)
        // Not shared for as long as it is written to.
        fragments = JSONFragments()
        defer { fragments = writer.takeFragments() }
        try value.encode(to: SlotEncoder(writer: writer, depth: 1))
        return writer.finish()
    }
}
