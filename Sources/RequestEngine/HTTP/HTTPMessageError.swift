/// Why a part of a message may not go on the wire, or cannot be read from it.
public enum HTTPMessageError: Error, Hashable, Sendable {
    /// The method is not a token (RFC 9110 section 5.6.2).
    case invalidMethod(String)
    /// The name of a field is not a token.
    case invalidFieldName(String)
    /// The value of a field has a CR, LF or NUL in it, which would end the line and begin another.
    case invalidFieldValue(name: String)
    /// A field says of the body's length what is not so: only the session says how a body is framed.
    case foreignFraming(name: String)
    /// A request with this method has no body: it is not sent without the one that it was given.
    case unsendableBody(RequestMethod)
    /// A line of a header has no colon, or no name before it.
    case malformedFieldLine(String)
}

extension HTTPMessageError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .invalidMethod(let method):
            "the method \(method.debugDescription) is not a token of letters, digits and !#$%&'*+-.^_`|~"
        case .invalidFieldName(let name):
            "the header name \(name.debugDescription) is not a token of letters, digits and !#$%&'*+-.^_`|~"
        case .invalidFieldValue(let name):
            "the value of the header \(name) has a line break or NUL in it: remove it"
        case .foreignFraming(let name):
            "the header \(name) does not fit the body that is sent: leave it out, the session frames the body itself"
        case .unsendableBody(let method):
            "a \(method) request has no body: leave it out, or use another method"
        case .malformedFieldLine(let line):
            "the header line \(line.prefix(80).debugDescription) has no name and colon"
        }
    }
}
