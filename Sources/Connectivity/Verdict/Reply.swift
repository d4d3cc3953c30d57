/// What came back over HTTP, as far as a verdict needs it.
public struct Reply: Hashable, Sendable {
    public var statusCode: Int
    /// `1.0`, `1.1`, `2`, `3`.
    public var version: String
    public var headers: [Expectation.Header]
    /// What was read of the body: no more than the probe's limit.
    public var body: [UInt8]
    /// Whether there was more of it.
    public var isBodyCut: Bool

    public init(
        statusCode: Int, version: String = "1.1", headers: [Expectation.Header] = [], body: [UInt8] = [],
        isBodyCut: Bool = false
    ) {
        self.statusCode = statusCode
        self.version = version
        self.headers = headers
        self.body = body
        self.isBodyCut = isBodyCut
    }

    /// The first value of a field, by its name without case.
    package func header(_ name: String) -> String? {
        let name = name.lowercasedASCII()
        return headers.first { $0.name.lowercasedASCII() == name }?.value
    }

    /// Whether it sends the client elsewhere (RFC 9110, 15.4; 300 and 304 to 306 do not).
    var isRedirect: Bool { [301, 302, 303, 307, 308].contains(statusCode) }

    /// No more than a line end: what a proxy leaves of a body it has dropped.
    var isBodyEmpty: Bool { body.allSatisfy { $0 == 0x0A || $0 == 0x0D } }
}
