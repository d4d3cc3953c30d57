/// Counts how deep the arrays and dictionaries of an XML property list are nested, without reading it, and finds a list in it.
struct XMLPropertyListScan {
    private let bytes: [UInt8]
    private var offset = 0

    static func check(_ bytes: [UInt8]) throws(PropertyListError) {
        // UTF-16 and UTF-32 have a zero in every `<`, and no text of XML has one of its own.
        guard !bytes.contains(0) else { throw .unsupportedEncoding }
        var scan = XMLPropertyListScan(bytes: bytes)
        try scan.run()
    }

    private init(bytes: [UInt8]) {
        self.bytes = bytes
    }

    private mutating func run() throws(PropertyListError) {
        var depth = 0
        var hasBegun = false
        while let tag = try nextTag() {
            // Foundation's reader follows lists within lists without limit. Counted is what opens one, and no end is
            // believed, since a list holds one value and nothing stands behind it.
            if tag.starts(with: "plist".utf8) {
                guard !hasBegun else { throw .nested }
                hasBegun = true
            }
            let name = tag.drop { $0 == UInt8(ascii: "/") }
            guard name.starts(with: "array".utf8) || name.starts(with: "dict".utf8) else { continue }
            if tag.first == UInt8(ascii: "/") {
                depth = max(0, depth - 1)
            } else if tag.last != UInt8(ascii: "/") {
                depth += 1
            }
            guard depth <= PropertyListBounds.maximumDepth else {
                throw .tooDeep(limit: PropertyListBounds.maximumDepth)
            }
        }
    }

    /// What stands between the next `<` and `>`, comments and sections passed over.
    private mutating func nextTag() throws(PropertyListError) -> ArraySlice<UInt8>? {
        while let start = bytes[offset...].firstIndex(of: UInt8(ascii: "<")) {
            offset = start + 1
            if try skipSection() { continue }
            guard let end = bytes[offset...].firstIndex(of: UInt8(ascii: ">")) else { return nil }
            defer { offset = end }
            return bytes[offset..<end]
        }
        return nil
    }

    private static let sections = [("!--", "-->"), ("![CDATA[", "]]>"), ("?", "?>")]

    private mutating func skipSection() throws(PropertyListError) -> Bool {
        // Foundation's reader takes this for a whole instruction, XML for the beginning of one.
        guard !bytes[offset...].starts(with: "?>".utf8) else { throw .unterminated }
        for (opening, closing) in Self.sections where try skip(opening, to: closing) { return true }
        return false
    }

    private mutating func skip(_ opening: String, to closing: String) throws(PropertyListError) -> Bool {
        guard bytes[offset...].starts(with: opening.utf8) else { return false }
        offset += opening.utf8.count
        while !bytes[offset...].starts(with: closing.utf8) {
            guard offset < bytes.count else { throw .unterminated }
            offset += 1
        }
        return true
    }
}
