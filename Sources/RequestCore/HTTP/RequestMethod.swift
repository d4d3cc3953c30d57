/// A request method (RFC 9110 section 9): an open set, compared case-sensitively.
///
/// Any text can be held; `validate()` tells whether it may go on the wire, and a session asks it before it sends.
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
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

extension HTTPMethod {
    public static let connect = HTTPMethod(rawValue: "CONNECT")
    public static let delete = HTTPMethod(rawValue: "DELETE")
    public static let get = HTTPMethod(rawValue: "GET")
    public static let head = HTTPMethod(rawValue: "HEAD")
    public static let options = HTTPMethod(rawValue: "OPTIONS")
    public static let patch = HTTPMethod(rawValue: "PATCH")
    public static let post = HTTPMethod(rawValue: "POST")
    public static let put = HTTPMethod(rawValue: "PUT")
    /// A safe request with a body (draft-ietf-httpbis-safe-method-w-body).
    public static let query = HTTPMethod(rawValue: "QUERY")
    public static let trace = HTTPMethod(rawValue: "TRACE")
}

extension HTTPMethod: ExpressibleByStringLiteral, CustomStringConvertible, Codable {
    public init(stringLiteral value: String) {
        self.init(rawValue: value)
    }

    public var description: String { rawValue }
}
