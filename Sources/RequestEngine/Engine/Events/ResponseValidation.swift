/// Which answers are acceptable.
public struct ResponseValidation: Hashable, Sendable {
    /// Nil for any.
    public var statusCodes: Set<Int>? = Set(200..<300)
    /// Types, of which either half may be `*` and the second such as `*+json`; nil for any.
    public var contentTypes: [MediaType]?

    public init(contentTypes: [MediaType]? = nil) {
        self.contentTypes = contentTypes
    }

    /// Takes every answer.
    public static var none: ResponseValidation {
        var validation = ResponseValidation()
        validation.statusCodes = nil
        return validation
    }

    /// What is wrong with the answer. Where both type and status are, the status comes first and the type under it.
    public func check(_ response: Response) -> Verdict {
        let isTypeAcceptable = acceptsType(of: response)
        var error: ResponseSerializationError?
        if !isTypeAcceptable, !response.body.isEmpty {
            error = ResponseSerializationError(typeRefusal(response), response)
        }
        if let statusCodes, !statusCodes.contains(response.statusCode) {
            error = ResponseSerializationError(.unacceptableStatus(response.statusCode), response, underlying: error)
        }
        return Verdict(isTypeAcceptable: isTypeAcceptable, error: error)
    }

    /// A verdict on an answer.
    public struct Verdict: Sendable {
        /// Whether the body may be read. A type that is refused is no error where there is no body.
        public let isTypeAcceptable: Bool
        public let error: ResponseSerializationError?
    }

    private func acceptsType(of response: Response) -> Bool {
        guard let contentTypes else { return true }
        guard response.headers.contains(name: "Content-Type") else {
            return response.body.isEmpty || contentTypes.contains(.any)
        }
        guard let type = response.headers.contentType else { return contentTypes.contains(.any) }
        return contentTypes.contains(where: type.matches)
    }

    private func typeRefusal(_ response: Response) -> ResponseSerializationError.Reason {
        .unacceptableContentType(response.headers["Content-Type"], accepted: contentTypes ?? [])
    }
}
