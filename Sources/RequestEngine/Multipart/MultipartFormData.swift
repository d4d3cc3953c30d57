public import FoundationEssentials
public import SystemPackage

/// A body of several parts, as an HTML form with files sends it (RFC 7578).
///
/// It holds where the parts come from, not their content: a file is read only as it is sent, and again where the
/// request must be sent again. Its length is known ahead.
public struct MultipartFormData: Sendable {
    /// What parts one part from the next. It must not occur in them; 16 random digits make sure of that.
    public let boundary: String
    /// How fast the body may be sent; nil for as fast as the connection takes it.
    public var throttle: Throttle?
    package private(set) var parts: [Part] = []
    /// The bytes of all parts with their headers, reckoned as they come: a form may have a great many.
    private(set) var partsLength: Int64 = 0

    /// A body without parts, under a random boundary.
    public init() {
        let digits = String(UInt64.random(in: .min ... .max), radix: 16, uppercase: true)
        boundary = "Boundary+" + String(repeating: "0", count: 16 - digits.count) + digits
    }

    /// A body without parts, under a boundary of the caller's.
    public init(boundary: String) throws(MultipartError) {
        let isValid = boundary.utf8.allSatisfy { Self.boundaryBytes.contains($0) }
        guard isValid, (1...70).contains(boundary.utf8.count), !boundary.hasSuffix(" ") else {
            throw .invalidBoundary(boundary)
        }
        self.boundary = boundary
    }

    public var isEmpty: Bool { parts.isEmpty }

    /// The value of `Content-Type`.
    public var contentType: MediaType {
        MediaType("multipart", "form-data", parameters: [.init(name: "boundary", value: boundary)])
    }

    /// The value of a form's field.
    public mutating func append(_ data: Data, name: String) throws(MultipartError) {
        try append(Part(name: name, content: .data(data)))
    }

    /// A file that is in memory.
    public mutating func append(
        _ data: Data, name: String, fileName: String, contentType: MediaType
    ) throws(MultipartError) {
        try append(Part(name: name, fileName: fileName, contentType: contentType, content: .data(data)))
    }

    /// A file on disk, under its own name and with the type of its extension unless others are given. Its size is what
    /// it is now: what is written to it later is not sent, and where it becomes shorter the request fails. A file of the
    /// kernel's, such as those of proc(5) and sysfs(5), has no size before it is read: its content is taken now, up to
    /// 16 MiB.
    public mutating func append(
        file path: FilePath, name: String, fileName: String? = nil, contentType: MediaType? = nil
    ) throws(MultipartError) {
        let type = contentType ?? MediaType(fileExtension: path.extension ?? "") ?? .octetStream
        let own = fileName ?? path.lastComponent?.string ?? ""
        try append(Part(name: name, fileName: own, contentType: type, content: FileReader.content(of: path)))
    }

    /// A file on disk, in the same way.
    public mutating func append(
        file path: String, name: String, fileName: String? = nil, contentType: MediaType? = nil
    ) throws(MultipartError) {
        try append(file: FilePath(path), name: name, fileName: fileName, contentType: contentType)
    }

    /// A stream of a length that is known. It is opened when its turn comes, and again where the request must be sent
    /// again; it is read to the length and no further, and where it ends before, the request fails.
    public mutating func append(
        length: Int64, name: String, fileName: String, contentType: MediaType,
        stream: @escaping @Sendable () throws -> any BodyReader
    ) throws(MultipartError) {
        guard length >= 0 else { throw .negativeLength(part: name, length) }
        try append(
            Part(name: name, fileName: fileName, contentType: contentType, content: .stream(stream, length: length)))
    }

    /// A part with headers of the caller's, in their order.
    public mutating func append(_ data: Data, headers: HeaderFields) throws(MultipartError) {
        try append(Part(headers: headers, content: .data(data)))
    }

    private mutating func append(_ part: Part) throws(MultipartError) {
        do { try part.headers.validate() } catch { throw .header(error) }
        let length = try length(with: part)
        parts.append(part)
        partsLength = length
    }

    private static let boundaryBytes = ByteSet(
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'()+_,-./:=? ")
}

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
