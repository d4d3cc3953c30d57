public import RequestEngine

/// Reads the body as text: in the encoding given, else in that of its `Content-Type`, else in ISO-8859-1. An encoding
/// that is not known is taken for UTF-8. Bytes that are no text in it become U+FFFD, unless they are to be an error.
public struct StringResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation
    /// Nil for the answer's own.
    public var encoding: TextEncoding?
    /// Whether bytes that are no text in the encoding are an error.
    public var refusesInvalidText: Bool

    public init(
        validation: ResponseValidation = ResponseValidation(), encoding: TextEncoding? = nil,
        refusesInvalidText: Bool = false
    ) {
        self.validation = validation
        self.encoding = encoding
        self.refusesInvalidText = refusesInvalidText
    }

    public func serialize(_ response: Response) -> SerializedResponse<String> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            do {
                let encoding = encoding ?? response.textEncoding
                guard refusesInvalidText else { return try encoding.decode(response.body) }
                return try encoding.decode(validating: response.body)
            } catch {
                throw .malformed(format: "text", error)
            }
        }
    }
}
