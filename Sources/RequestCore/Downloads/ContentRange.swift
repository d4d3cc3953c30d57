import RequestEngine

/// Which part of a file an answer is: `Content-Range: bytes 5-9/10` (RFC 9110 section 14.4).
struct ContentRange: Hashable {
    let first: Int64
    let last: Int64
    /// The length of the whole; nil where the server does not say (`*`).
    let total: Int64?

    /// Nil for what is no range of bytes, or one that cannot be: with its end before its beginning, or behind the whole's, or
    /// behind what a file can hold.
    init?(_ value: String) {
        guard let (range, total) = Self.halves(value) else { return nil }
        let ends = range.split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last,
            last < .max
        else { return nil }
        self.first = first
        self.last = last
        self.total = Self.number(total)
        guard total == "*" || last < self.total ?? 0 else { return nil }
    }

    /// The length of the whole where an answer with the status 416 tells it: `bytes */10`.
    static func total(ofUnsatisfied value: String) -> Int64? {
        guard let (range, total) = halves(value), range == "*" else { return nil }
        return number(total)
    }

    private static func halves(_ value: String) -> (range: Substring, total: Substring)? {
        let unit = "bytes "
        guard value.lowercased().hasPrefix(unit) else { return nil }
        let halves = value.dropFirst(unit.count).split(separator: "/", omittingEmptySubsequences: false)
        return halves.count == 2 ? (halves[0], halves[1]) : nil
    }

    /// Digits and nothing else: `Int64` would take a sign.
    private static func number(_ text: Substring) -> Int64? {
        text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int64(text) : nil
    }
}

extension ContentRange {
    var count: Int64 { last - first + 1 }
}

extension ResponseHead {
    var contentRange: ContentRange? { headers["Content-Range"].flatMap(ContentRange.init) }
}
