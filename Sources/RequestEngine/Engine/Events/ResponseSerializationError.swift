public import FoundationEssentials

/// Why an answer is not what was asked for. It carries the answer, so that nothing the server said is lost.
public struct ResponseSerializationError: Error, Sendable {
    public let reason: Reason
    public let response: Response
    /// What was wrong with the answer besides: a body that could not be read may come with a status that was refused.
    public let underlying: (any Error)?

    public init(_ reason: Reason, _ response: Response, underlying: (any Error)? = nil) {
        self.reason = reason
        self.response = response
        self.underlying = underlying
    }

    public enum Reason: Sendable {
        /// The server answered with a status code that is not accepted.
        case unacceptableStatus(Int)
        /// The server answered with another type than those accepted, or with none.
        case unacceptableContentType(String?, accepted: [MediaType])
        /// There is no body, and one is needed.
        case emptyBody
        /// The body is not of its format: which one, and what is wrong with it.
        case malformed(format: String, any Error)
        /// The body is of its format, and not of the type asked for.
        case undecodable(type: String, any Error)
    }

    /// The body of the answer.
    public var data: Data { response.body }

    /// The body of the answer as a value, such as the explanation of an error.
    public func decodeBody<Value: Decodable>(as type: Value.Type, decoder: JSONDecoder = JSONDecoder()) throws -> Value
    {
        try decoder.decode(type, from: data)
    }

    /// Whether the type of the content was refused, here or underneath.
    public var refusesContentType: Bool {
        if case .unacceptableContentType = reason { return true }
        return (underlying as? ResponseSerializationError)?.refusesContentType ?? false
    }
}

extension ResponseSerializationError: CustomStringConvertible {
    public var description: String {
        switch reason {
        case .unacceptableStatus(let code):
            "\(url) answered \(StatusText.describe(code)), which is not an accepted status"
        case .unacceptableContentType(let type, let accepted):
            "\(url) answered with \(Self.describe(type)), accepted \(accepted.isEmpty ? "is none" : "are")"
                + " \(accepted.map(\.description).joined(separator: ", ")): add it to the validation's contentTypes"
        case .emptyBody:
            "\(url) answered \(StatusText.describe(response.statusCode)) without the body that is needed"
        case .malformed(let format, let error):
            "the answer of \(url) cannot be read as \(format): \(error)"
        case .undecodable(let type, let error):
            "the answer of \(url) is not a \(type): \(error)"
        }
    }

    private var url: String { response.url.absoluteString.withoutUserInfo }

    private static func describe(_ type: String?) -> String {
        type.map { "the content type \(String($0.prefix(100)).debugDescription)" } ?? "no content type"
    }
}

extension ResponseSerializationError: LocalizedError {
    public var errorDescription: String? { description }
}
