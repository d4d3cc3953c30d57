public import FoundationEssentials
public import RequestEngine

/// Decodes the body as a type. The body of a refused status is not decoded, since it is another type's: it is in the
/// error, from which `decodeBody(as:)` reads it.
public struct DecodableResponseSerializer<Value: Decodable & Sendable>: ResponseSerializer {
    public var validation: ResponseValidation
    /// Whether an answer without content is an error. One with a status that has none (204, 205, 304), or to `HEAD`, never is.
    public var needsBody = true
    /// What is done to the body before it is decoded.
    public var preprocessing = BodyPreprocessing.none
    private let decode: @Sendable (Data) throws -> Value

    /// Decodes JSON.
    public init(
        _ type: Value.Type = Value.self, decoder: JSONDecoder = JSONDecoder(),
        validation: ResponseValidation = ResponseValidation(contentTypes: JSONResponseSerializer.contentTypes)
    ) {
        self.init(validation: validation) { try decoder.decode(type, from: $0) }
    }

    /// Decodes in any other way.
    public init(validation: ResponseValidation, decode: @escaping @Sendable (Data) throws -> Value) {
        self.validation = validation
        self.decode = decode
    }

    public func serialize(_ response: Response) -> SerializedResponse<Value> {
        if let refusal = validation.check(response).error { return SerializedResponse(value: nil, error: refusal) }
        return serialize(response) { () throws(ResponseSerializationError.Reason) in
            guard !response.isBlank else {
                guard !needsBody || response.isWithoutContent else { throw .emptyBody }
                return nil
            }
            do { return try decode(preprocessing.apply(to: response.body)) } catch {
                throw .undecodable(type: "\(Value.self)", error)
            }
        }
    }
}
