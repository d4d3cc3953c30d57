public import RequestEngine

/// Why a request of an ``HTTPSession`` gave no value: at which of the three steps it failed.
public enum HTTPSessionError: Error, Sendable {
    /// The request could not be made of its parts. Nothing was sent.
    case request(RequestSerializationError)
    /// The request could not be sent, or gave no answer.
    case transfer(RequestError)
    /// The answer is not what was asked for. The error carries it.
    case response(ResponseSerializationError)

    /// The answer that was refused.
    public var response: Response? {
        if case .response(let error) = self { error.response } else { nil }
    }
}

extension HTTPSessionError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .request(let error): error.description
        case .transfer(let error): error.description
        case .response(let error): error.description
        }
    }
}
