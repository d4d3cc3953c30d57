import FoundationEssentials

/// What a property list from outside may be, so that it can be handed to the toolchain's reader, which exhausts the
/// stack on deep lists, and time and memory on binary ones whose parts contain one another.
enum PropertyListBounds {
    static let maximumDepth = 512

    /// Refuses a list that the reader would not survive. Whether it is well formed is left to the reader.
    static func check(_ data: Data) throws(PropertyListError) {
        if data.starts(with: Array("bplist".utf8)) {
            var list = try BinaryPropertyList(Array(data))
            try list.check()
        } else {
            try XMLPropertyListScan.check(Array(data))
        }
    }
}

/// Why a property list is refused before it is read.
public enum PropertyListError: Error, Hashable, Sendable {
    /// Arrays and dictionaries are nested deeper than this.
    case tooDeep(limit: Int)
    /// A text has a second list within the first or behind it.
    case nested
    /// Parts of a binary list stand for more values than it has bytes.
    case expands
    /// The frame of a binary list is cut off or points outside it.
    case invalidBinary
    /// The text is not UTF-8.
    case unsupportedEncoding
    /// A comment or section of the text has no end.
    case unterminated
}

extension PropertyListError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .tooDeep(let limit): "it is nested deeper than \(limit)"
        case .nested: "a property list stands within another"
        case .expands: "its parts contain one another, and it would grow beyond measure"
        case .invalidBinary: "its table of objects is cut off or points outside it"
        case .unsupportedEncoding: "it is not written in UTF-8"
        case .unterminated: "a comment or section in it has no end"
        }
    }
}

extension PropertyListDecoder {
    /// Decodes what comes from outside.
    func decodeBounded<Value: Decodable>(_ type: Value.Type, from data: Data) throws -> Value {
        try PropertyListBounds.check(data)
        return try decode(type, from: data)
    }
}
