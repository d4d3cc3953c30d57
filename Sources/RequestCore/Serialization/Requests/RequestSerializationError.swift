import RequestEngine

/// Why a request could not be made of its parts.
public enum RequestSerializationError: Error, Sendable {
    /// The text is no absolute `http` or `https` URL with a host, and a port up to 65535 if it has one.
    case invalidURL(String)
    /// The parameters cannot be written in this format: which of them, and why.
    case invalidParameters(path: String, reason: String)
    /// The values given as parameters refused to be encoded.
    case encoding(any Error)
    /// The caller's own query serialization failed.
    case querySerialization(any Error)
    /// A user name with a colon, which Basic authorization cannot carry (RFC 7617 section 2).
    case colonInUser(String)
    /// A part of the multipart body cannot be sent.
    case multipart(MultipartError)
    /// The closure that makes the multipart body failed: its own error.
    case form(any Error)
    /// A part of the message may not go on the wire.
    case message(HTTPMessageError)
    /// A method that carries no body was asked to send one.
    case bodyNotAllowed(RequestMethod)
}

extension RequestSerializationError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidURL(let url):
            "\(url.withoutUserInfo.debugDescription) is not an absolute http or https URL with a host, and a port up to 65535 if any"
        case .invalidParameters(let path, let reason):
            "the parameter \(path) cannot be sent: \(reason)"
        case .encoding(let error):
            "the parameters cannot be encoded: \(error)"
        case .querySerialization(let error):
            "the given query serialization failed: \(error)"
        case .colonInUser(let user):
            "the user name \(user.debugDescription) has a colon, which Basic authorization cannot carry"
        case .multipart(let error):
            "the multipart body cannot be made: \(error)"
        case .form(let error):
            "the multipart body cannot be made: \(error)"
        case .message(let error):
            error.description
        case .bodyNotAllowed(let method):
            "a \(method) request carries no body: send the parameters in the query, or use another method"
        }
    }
}
