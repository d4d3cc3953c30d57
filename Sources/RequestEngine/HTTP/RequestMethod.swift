/// A request method (RFC 9110 section 9): an open set, compared case-sensitively.
///
/// Any text can be held; `validate()` tells whether it may go on the wire, and a session asks it before it sends.
public struct RequestMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it stands in the request line.
    public let rawValue: String

    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Checks that the method is a token, so that it cannot break out of the request line.
    public func validate() throws(HTTPMessageError) {
        guard Token.isToken(rawValue) else { throw .invalidMethod(rawValue) }
    }

    /// Whether asking twice has the same effect as asking once (RFC 9110 section 9.2.2).
    public var isIdempotent: Bool {
        [.get, .head, .options, .trace, .put, .delete, .query].contains(self)
    }

    /// Whether the method only reads (RFC 9110 section 9.2.1).
    public var isSafe: Bool {
        [.get, .head, .options, .trace, .query].contains(self)
    }
}

extension RequestMethod {
    public static let connect = RequestMethod(rawValue: "CONNECT")
    public static let delete = RequestMethod(rawValue: "DELETE")
    public static let get = RequestMethod(rawValue: "GET")
    public static let head = RequestMethod(rawValue: "HEAD")
    public static let options = RequestMethod(rawValue: "OPTIONS")
    public static let patch = RequestMethod(rawValue: "PATCH")
    public static let post = RequestMethod(rawValue: "POST")
    public static let put = RequestMethod(rawValue: "PUT")
    /// A safe request with a body (draft-ietf-httpbis-safe-method-w-body).
    public static let query = RequestMethod(rawValue: "QUERY")
    public static let trace = RequestMethod(rawValue: "TRACE")
}

extension RequestMethod: ExpressibleByStringLiteral, CustomStringConvertible, Codable {
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    public var description: String { rawValue }
}
