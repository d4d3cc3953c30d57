/// How a body is to be shown, and what to call it in a file (RFC 6266).
public struct ContentDisposition: Hashable, Sendable {
    /// Such as `attachment`, in small letters.
    public let type: String
    /// The name as the server gives it: `filename*` where it can be read, else `filename`. Not to be used as a path.
    public let fileName: String?

    /// Reads the field; nil where it does not begin with a type.
    public init?(_ text: String) {
        var parser = FieldParser(text)
        guard let type = parser.token() else { return nil }
        self.type = type.lowercased()
        let parameters = parser.parameters()
        let extended = parameters.first { $0.name == "filename*" }.flatMap { Self.decode($0.value) }
        fileName = extended ?? parameters.first { $0.name == "filename" }?.value
    }

    /// Undoes `UTF-8'language'%e2%82%ac` (RFC 8187); nil where it is not that.
    private static func decode(_ value: String) -> String? {
        let parts = value.split(separator: "'", maxSplits: 2, omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = PercentEncoding.unescape(parts[2]) else { return nil }
        switch parts[0].lowercased() {
        case "utf-8": return String(validating: bytes, as: UTF8.self)
        case "iso-8859-1": return String(String.UnicodeScalarView(bytes.map { Unicode.Scalar($0) }))
        default: return nil
        }
    }
}
