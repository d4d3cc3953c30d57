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
    /// Reads the body of an answer whose type is acceptable. An error of reading carries what validation found.
    public func serialize(
        _ response: Response, read: () throws(ResponseSerializationError.Reason) -> Value?
    ) -> SerializedResponse<Value> {
        let verdict = validation.check(response)
        guard verdict.isTypeAcceptable else { return SerializedResponse(value: nil, error: verdict.error) }
        do {
            return SerializedResponse(value: try read(), error: verdict.error)
        } catch {
            let error = ResponseSerializationError(error, response, underlying: verdict.error)
            return SerializedResponse(value: nil, error: error)
        }
    }
}

extension ResponseSerializationError.Reason: Error {}

extension Response {
    /// Whether there is no body, and none is due: the status has none (204, 205, 304), or the header alone was asked for.
    public var hasNoContent: Bool { body.isEmpty && isWithoutContent }

    var isWithoutContent: Bool { method == .head || [204, 205, 304].contains(statusCode) }

    /// Whether the body is nothing but white space.
    var isBlank: Bool {
        body.allSatisfy { $0 == 0x20 || (0x09...0x0D).contains($0) }
    }
}
