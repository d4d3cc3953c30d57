/// The answer that counts as the target's own.
public struct Expectation: Hashable, Sendable, Codable {
    /// What the endpoint was made for.
    public var kind: Kind
    /// The status codes that count as a success.
    public var statuses: StatusCodes
    /// What the body must be; nil for anything.
    public var body: Body? = nil
    /// A header field the answer must carry: its name, compared without case, and its whole value.
    public var header: Header? = nil
    /// The fewest days the certificate must still be valid.
    public var certificateDays: Int? = nil
    /// Whether a redirect is good only where ``statuses`` names it. Otherwise one within the site is, too, of an ordinary target
    /// of which no body, no header field and no other status is wanted than any success.
    public var excludesRedirects = false

    /// What the endpoint was made for, which decides what a wrong answer means.
    public enum Kind: String, Hashable, Sendable, Codable, CaseIterable {
        /// Answers 204 without a body (`generate_204`).
        case noContent = "204"
        /// Answers 200 with a fixed text.
        case body
        /// Answers 204 and repeats a challenge of ours in a header, which no portal in between can know.
        case challenge
        /// An ordinary page or service.
        case ordinary
    }

    /// What the body must be.
    public enum Body: Hashable, Sendable, Codable {
        /// The whole body, without regard to blanks at its end.
        case exact(String)
        case prefix(String)
        /// A regular expression that matches somewhere in it, in the syntax of RE2
        /// (https://github.com/google/re2/wiki/Syntax): without look-around and back references, by which a server could make
        /// it last. At most 1 MiB of a body is held against it.
        case expression(String)
        /// A JSON text with a certain value in it.
        case json(JSONMatch)
    }

    /// A header field.
    public struct Header: Hashable, Sendable, Codable {
        public var name: String
        public var value: String

        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    public init(kind: Kind, statuses: StatusCodes, body: Body? = nil, header: Header? = nil) {
        self.kind = kind
        self.statuses = statuses
        self.body = body
        self.header = header
    }

    /// Whether a redirect that ``statuses`` does not name may be good: it has no body and no field that could be looked at.
    var admitsRedirects: Bool {
        kind == .ordinary && !excludesRedirects && body == nil && header == nil && statuses == Self.ordinary.statuses
    }

    /// 204 and no body.
    public static let noContent = Expectation(kind: .noContent, statuses: [204...204])

    /// 200 and exactly this text.
    public static func body(_ text: String) -> Expectation {
        Expectation(kind: .body, statuses: [200...200], body: .exact(text))
    }

    /// 204 and our challenge given back, as Tailscale's relays do it: the request's `X-Netwatch-Challenge: C` is
    /// answered by `X-Netwatch-Response: response C`.
    public static let challenge = Expectation(kind: .challenge, statuses: [204...204])

    /// Any success, or a redirect to another address of the same host.
    public static let ordinary = Expectation(kind: .ordinary, statuses: [200...299])
}

extension Expectation {
    /// Recordings of earlier versions say nothing of redirects.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        kind = try values.decode(Kind.self, forKey: .kind)
        statuses = try values.decode(StatusCodes.self, forKey: .statuses)
        body = try values.decodeIfPresent(Body.self, forKey: .body)
        header = try values.decodeIfPresent(Header.self, forKey: .header)
        certificateDays = try values.decodeIfPresent(Int.self, forKey: .certificateDays)
        excludesRedirects = try values.decodeIfPresent(Bool.self, forKey: .excludesRedirects) ?? false
    }
}
