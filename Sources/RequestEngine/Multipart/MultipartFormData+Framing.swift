extension MultipartFormData {
    /// The exact number of bytes of the whole body, without reading any.
    public var contentLength: Int64 {
        get throws(MultipartError) {
            try Self.sum(partsLength, Int64(closing.count))
        }
    }

    /// The bytes of all parts and of one more, with which the whole body must still have a length.
    func length(with part: Part) throws(MultipartError) -> Int64 {
        let opening = Int64(opening(of: part, isFirst: parts.isEmpty).count)
        let length = try Self.sum(try Self.sum(partsLength, opening), part.content.length)
        _ = try Self.sum(length, Int64(closing.count))
        return length
    }

    /// The body from its first byte. Each call gives a body of its own, so a request can be sent again.
    public func makeBody() throws(MultipartError) -> MultipartBody {
        try MultipartBody(self)
    }

    /// What goes before a part: the boundary, and its headers (RFC 2046 section 5.1.1).
    func opening(_ index: Int) -> [UInt8] {
        opening(of: parts[index], isFirst: index == 0)
    }

    private func opening(of part: Part, isFirst: Bool) -> [UInt8] {
        let lineBreak = isFirst ? "" : "\r\n"
        let headers = part.headers.map { "\($0.name): \($0.value)\r\n" }.joined()
        return Array("\(lineBreak)--\(boundary)\r\n\(headers)\r\n".utf8)
    }

    /// What goes after the last part.
    var closing: [UInt8] { Array("\r\n--\(boundary)--\r\n".utf8) }

    private static func sum(_ one: Int64, _ other: Int64) throws(MultipartError) -> Int64 {
        let (sum, overflow) = one.addingReportingOverflow(other)
        guard !overflow else { throw .tooLong }
        return sum
    }
}
