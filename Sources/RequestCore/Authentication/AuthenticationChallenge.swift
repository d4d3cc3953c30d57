internal import FoundationEssentials
public import RequestEngine

/// What a server asks for before it answers (RFC 9110, section 11.6).
public struct AuthenticationChallenge: Sendable {
    /// The scheme in lower case: `basic`, `digest`, `bearer`, `negotiate` …
    public let scheme: String
    /// What is protected, in the server's words.
    public let realm: String?
    /// The other parameters, their names in lower case.
    public let parameters: [String: String]
    /// The request that was refused.
    public let request: Request
    /// The origin that asks, and so the one that a credential has to be for. It is not the origin that was asked first where
    /// ``Request/hasLeftOrigin`` of the request is true.
    public let origin: Origin
    /// How often this task has answered a challenge before, and was refused.
    public let previousFailures: Int
}

extension AuthenticationChallenge {
    /// A challenge without the request it belongs to.
    struct Offer: Equatable {
        let scheme: String
        var parameters: [String: String] = [:]
    }

    /// The challenges of a header's fields, in their order. What cannot be read is passed
    /// over, up to the next comma.
    static func offers(_ headers: HeaderFields) -> [Offer] {
        headers.values(of: "WWW-Authenticate").flatMap(offers)
    }

    /// Reads one field: challenges and their parameters are both separated by commas, so that a name is a parameter's if
    /// `=` follows it, and a scheme's if not.
    private static func offers(_ field: String) -> [Offer] {
        var parser = FieldParser(field)
        var offers: [Offer] = []
        while !parser.isAtEnd {
            while parser.skip(",") {}
            guard let name = parser.token() else {
                parser.drop(until: ",")
                continue
            }
            if !offers.isEmpty, parser.skip("=") {
                guard let value = parser.value() else { continue }
                offers[offers.count - 1].parameters[name.lowercased()] = value
            } else {
                offers.append(Offer(scheme: name.lowercased()))
            }
        }
        return offers
    }
}
