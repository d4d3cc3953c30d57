/// The containers of a binary property list, and how far they reach (`CFBinaryPList.c` describes the format).
struct BinaryPropertyList {
    private let bytes: [UInt8]
    private let offsetSize: Int
    private let referenceSize: Int
    private let objectCount: Int
    private let top: Int
    private let table: Int
    private var measures: [Int: Measure] = [:]

    /// How deep an object reaches, and for how many values it stands.
    private struct Measure {
        var depth = 1
        var values = 1
    }

    /// Reads the trailer, the last 32 bytes.
    init(_ bytes: [UInt8]) throws(PropertyListError) {
        let trailer = bytes.count - 32
        guard trailer >= 8 else { throw .invalidBinary }
        self.bytes = bytes
        offsetSize = Int(bytes[trailer + 6])
        referenceSize = Int(bytes[trailer + 7])
        guard (1...8).contains(offsetSize), (1...8).contains(referenceSize) else { throw .invalidBinary }
        objectCount = try Self.number(bytes, at: trailer + 8, size: 8)
        top = try Self.number(bytes, at: trailer + 16, size: 8)
        table = try Self.number(bytes, at: trailer + 24, size: 8)
    }

    /// Refuses a list that is too deep, or that would grow when it is read.
    mutating func check() throws(PropertyListError) {
        _ = try measure(top, depth: 1)
    }

    private mutating func measure(_ object: Int, depth: Int) throws(PropertyListError) -> Measure {
        let limit = PropertyListBounds.maximumDepth
        // A circle has no end, so it is too deep before it is anything else.
        guard depth <= limit else { throw .tooDeep(limit: limit) }
        if let measure = measures[object] {
            guard depth + measure.depth - 1 <= limit else { throw .tooDeep(limit: limit) }
            return measure
        }
        var measure = Measure()
        for member in try members(of: object) {
            let inner = try self.measure(member, depth: depth + 1)
            measure.depth = max(measure.depth, inner.depth + 1)
            measure.values += inner.values
            guard measure.values <= bytes.count else { throw .expands }
        }
        measures[object] = measure
        return measure
    }

    /// The objects that an array, set or dictionary refers to.
    private func members(of object: Int) throws(PropertyListError) -> [Int] {
        guard (0..<objectCount).contains(object) else { throw .invalidBinary }
        let (place, overflow) = object.multipliedReportingOverflow(by: offsetSize)
        guard !overflow, place <= bytes.count else { throw .invalidBinary }
        let offset = try number(at: table + place, size: offsetSize)
        let marker = try number(at: offset, size: 1)
        switch marker >> 4 {
        case 0xA, 0xB, 0xC: return try references(at: offset, marker, each: 1)
        case 0xD: return try references(at: offset, marker, each: 2)
        default: return []
        }
    }

    private func references(at offset: Int, _ marker: Int, each: Int) throws(PropertyListError) -> [Int] {
        var start = offset + 1
        var count = marker & 0xF
        if count == 0xF {
            let size = try number(at: start, size: 1)
            guard size >> 4 == 1, size & 0xF <= 3 else { throw .invalidBinary }
            count = try number(at: start + 1, size: 1 << (size & 0xF))
            start += 1 + 1 << (size & 0xF)
        }
        guard count <= bytes.count else { throw .invalidBinary }
        var references: [Int] = []
        for index in 0..<count * each {
            references.append(try number(at: start + index * referenceSize, size: referenceSize))
        }
        return references
    }

    private func number(at offset: Int, size: Int) throws(PropertyListError) -> Int {
        try Self.number(bytes, at: offset, size: size)
    }

    /// A number in big-endian order, no larger than a place in memory can be.
    private static func number(_ bytes: [UInt8], at offset: Int, size: Int) throws(PropertyListError) -> Int {
        guard offset >= 0, offset <= bytes.count - size else { throw .invalidBinary }
        let number = bytes[offset..<offset + size].reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard number <= UInt64(Int.max / 16) else { throw .invalidBinary }
        return Int(number)
    }
}
