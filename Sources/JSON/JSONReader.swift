/// Reads a JSON text in one pass (RFC 8259), with a bound on its depth and the place of what it cannot read.
///
/// Not `JSONDecoder`, which lets `[1,]` pass, loses the order of members, and gives no place.
struct JSONReader {
    let options: JSONReadingOptions
    var cursor: JSONCursor

    init(_ bytes: [UInt8], options: JSONReadingOptions) {
        self.options = options
        cursor = JSONCursor(bytes)
        // A byte order mark is passed over.
        _ = cursor.skip("\u{FEFF}")
    }

    /// The value of the whole text.
    mutating func read() throws(JSONSyntaxError) -> JSONValue {
        cursor.skipWhitespace()
        if !options.allowsFragments { try expectContainer() }
        let value = try value(depth: 0)
        cursor.skipWhitespace()
        guard cursor.isAtEnd else { throw cursor.unexpected("the text should end") }
        return value
    }

    private func expectContainer() throws(JSONSyntaxError) {
        guard cursor.current == UInt8(ascii: "{") || cursor.current == UInt8(ascii: "[") else {
            throw cursor.unexpected("an object or array should begin")
        }
    }

    private mutating func value(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        switch cursor.current {
        case UInt8(ascii: "{"): try object(depth: depth + 1)
        case UInt8(ascii: "["): try array(depth: depth + 1)
        case UInt8(ascii: "\""): .string(try cursor.string(replacesLoneSurrogates: options.isLenient))
        case UInt8(ascii: "t"): try word("true", .bool(true))
        case UInt8(ascii: "f"): try word("false", .bool(false))
        case UInt8(ascii: "n"): try word("null", .null)
        default: try cursor.number()
        }
    }

    private mutating func word(_ word: String, _ value: JSONValue) throws(JSONSyntaxError) -> JSONValue {
        guard cursor.skip(word) else { throw cursor.unexpected("a value should begin") }
        return value
    }

    private mutating func array(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var elements: [JSONValue] = []
        try members(until: "]", depth: depth) { (reader) throws(JSONSyntaxError) in
            elements.append(try reader.value(depth: depth))
        }
        return .array(elements)
    }

    private mutating func object(depth: Int) throws(JSONSyntaxError) -> JSONValue {
        var members = JSONObject()
        try self.members(until: "}", depth: depth) { (reader) throws(JSONSyntaxError) in
            let name = try reader.name()
            members[name] = try reader.value(depth: depth)
        }
        return .object(members)
    }

    private mutating func name() throws(JSONSyntaxError) -> String {
        guard cursor.current == UInt8(ascii: "\"") else { throw cursor.unexpected("a name should begin") }
        let name = try cursor.string(replacesLoneSurrogates: options.isLenient)
        cursor.skipWhitespace()
        guard cursor.skip(":") else { throw cursor.unexpected("a colon should follow the name") }
        cursor.skipWhitespace()
        return name
    }

    /// Reads what stands between brackets, parted by commas.
    private mutating func members(
        until end: String, depth: Int, _ member: (inout JSONReader) throws(JSONSyntaxError) -> Void
    ) throws(JSONSyntaxError) {
        guard depth <= options.maximumDepth else {
            throw cursor.error("nested deeper than \(options.maximumDepth)")
        }
        cursor.advance()
        cursor.skipWhitespace()
        if cursor.skip(end) { return }
        repeat {
            cursor.skipWhitespace()
            if options.isLenient, cursor.skip(end) { return }
            try member(&self)
            cursor.skipWhitespace()
        } while cursor.skip(",")
        guard cursor.skip(end) else { throw cursor.unexpected("a comma or \(end) should follow") }
    }
}
