/// How many records each section of a name server's answer has (RFC 1035 section 4.1), without the one that EDNS adds.
package struct ReplySections: Hashable, Sendable {
    package var answer = 0
    package var authority = 0
    package var additional = 0

    private static let headerSize = 12
    /// The type of EDNS's pseudo record, OPT (RFC 6891).
    private static let edns: UInt16 = 41

    /// - Parameter bytes: The whole message. Nil where it is too short to be one.
    init?(_ bytes: Span<UInt8>) {
        guard bytes.count >= Self.headerSize else { return nil }
        answer = Self.number(bytes, 6)
        authority = Self.number(bytes, 8)
        additional = Self.number(bytes, 10)
        let records = answer + authority + additional
        if Self.types(bytes, questions: Self.number(bytes, 4), records: records).suffix(additional).contains(Self.edns)
        {
            additional -= 1
        }
    }

    private static func number(_ bytes: Span<UInt8>, _ place: Int) -> Int {
        Int(bytes[place]) << 8 | Int(bytes[place + 1])
    }

    /// The types of the records, as far as they can be read.
    private static func types(_ bytes: Span<UInt8>, questions: Int, records: Int) -> [UInt16] {
        var place: Int? = headerSize
        for _ in 0..<questions { place = place.flatMap { end(ofName: $0, bytes) }.map { $0 + 4 } }
        var types: [UInt16] = []
        while types.count < records, let name = place, let type = end(ofName: name, bytes), type + 10 <= bytes.count {
            types.append(UInt16(number(bytes, type)))
            place = type + 10 + number(bytes, type + 8)
        }
        return types
    }

    /// Where a name ends: with a label of no length, or with a pointer to another place (RFC 1035 section 4.1.4).
    private static func end(ofName start: Int, _ bytes: Span<UInt8>) -> Int? {
        var place = start
        while place < bytes.count {
            let length = Int(bytes[place])
            if length == 0 { return place + 1 }
            if length >= 0xC0 { return place + 2 }
            place += length + 1
        }
        return nil
    }
}
