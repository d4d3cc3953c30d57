/// Undoes one content coding, piece by piece.
protocol ContentDecoder: AnyObject {
    /// Appends as much as there is of what the input unpacks to, up to the room there is.
    ///
    /// - Returns: How much of the input that took: all of it where nothing was appended.
    func decode(_ input: Span<UInt8>, into output: inout OutputSpan<UInt8>) throws(ContentDecodingError) -> Int

    /// Whether what was read until now is whole.
    var isAtEnd: Bool { get }
}

/// Why a body cannot be unpacked.
struct ContentDecodingError: Error {
    let explanation: String

    init(_ explanation: String) {
        self.explanation = explanation
    }
}

/// A coding of a body (RFC 9110 section 8.4.1).
enum ContentCoding: String, CaseIterable {
    case deflate
    case gzip
    case brotli = "br"
    case zstd

    /// What is asked for, as a field's value: all that can be undone here.
    static let acceptable = allCases.filter { $0.makeDecoder() != nil }.map(\.rawValue).joined(separator: ", ")

    init?(name: String) {
        switch name {
        case "x-gzip": self = .gzip
        default: self.init(rawValue: name)
        }
    }

    /// Nil where the library for it is not there.
    func makeDecoder() -> (any ContentDecoder)? {
        switch self {
        case .deflate: ZlibDecoder(.deflate)
        case .gzip: ZlibDecoder(.gzip)
        case .brotli: BrotliDecoder()
        case .zstd: ZstdDecoder()
        }
    }
}
