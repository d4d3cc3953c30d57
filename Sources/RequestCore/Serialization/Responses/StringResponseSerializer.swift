/// Reads the body as text: in the encoding given, else in that of its `Content-Type`, else in ISO-8859-1. An encoding
/// that is not known is taken for UTF-8.
public struct StringResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation
    /// Nil for the answer's own.
    public var encoding: TextEncoding?

    public init(validation: ResponseValidation = ResponseValidation(), encoding: TextEncoding? = nil) {
        self.validation = validation
        self.encoding = encoding
    }

    public func serialize(_ response: Response) -> SerializedResponse<String> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            do {
                return try (encoding ?? response.textEncoding).decode(response.body)
            } catch {
                throw .malformed(format: "text", error)
            }
        }
    }
}

extension Response {
    /// The encoding its `Content-Type` names.
    public var textEncoding: TextEncoding {
        guard let charset = headers.contentType?.charset else { return .latin1 }
        return TextEncoding(charset: charset) ?? .utf8
    }
}
