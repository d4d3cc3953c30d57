extension MultipartFormData {
    /// The exact number of bytes of the whole body, without reading any.
    public var contentLength: Int64 {
        get throws(MultipartError) {
            var length = Int64(closing.count)
            for index in parts.indices {
                length = try Self.sum(length, Int64(opening(index).count))
                length = try Self.sum(length, parts[index].content.length)
            }
            return length
        }
    }

    /// The body from its first byte. Each call gives a body of its own, so a request can be sent again.
    public func makeBody() throws(MultipartError) -> MultipartBody {
        try MultipartBody(self)
    }

    /// What goes before a part: the boundary, and its headers (RFC 2046 section 5.1.1).
    func opening(_ index: Int) -> [UInt8] {
        let lineBreak = index == 0 ? "" : "\r\n"
        let headers = parts[index].headers.map { "\($0.name): \($0.value)\r\n" }.joined()
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
