public import FoundationEssentials
public import RequestEngine

/// Gives the body as it is, also of an answer that is not acceptable.
public struct HTTPResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation

    public init(validation: ResponseValidation = ResponseValidation()) {
        self.validation = validation
    }

    public func serialize(_ response: Response) -> SerializedResponse<Data> {
        SerializedResponse(value: response.body, error: validation.check(response).error)
    }
}

extension ResponseSerializer {
    /// Reads the body of an answer whose type is acceptable. One without a body is read whatever its type: whether that
    /// is an error is for the reader to say. An error of reading carries what validation found.
    public func serialize(
        _ response: Response, read: () throws(ResponseSerializationError.Reason) -> Value?
    ) -> SerializedResponse<Value> {
        let verdict = validation.check(response)
        if !verdict.isTypeAcceptable, let error = verdict.error { return SerializedResponse(value: nil, error: error) }
        do {
            return SerializedResponse(value: try read(), error: verdict.error)
        } catch {
            let error = ResponseSerializationError(error, response, underlying: verdict.error)
            return SerializedResponse(value: nil, error: error)
        }
    }
}

extension ResponseSerializationError.Reason: Error {}
