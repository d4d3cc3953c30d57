import RequestEngine

/// Answers the challenges of servers.
public protocol ChallengeHandler: Sendable {
    /// Whether it knows whose challenge it answers, by ``AuthenticationChallenge/origin``. One that does not is not asked
    /// about the challenge of an origin that a redirect has led to: its credential is for the one that was asked first. By
    /// default it does not.
    var knowsOrigins: Bool { get }

    /// Decides how to answer. Asked for each challenge the server offers, the strongest first, until the answer is not
    /// ``ChallengeAnswer/reject``. Runs on the session's loop, which it must not block; it may wait for a person.
    func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer
}

extension ChallengeHandler {
    public var knowsOrigins: Bool { false }
}

/// What to do about a challenge.
public enum ChallengeAnswer: Sendable {
    /// As if there were no handler: the server's refusal is the answer.
    case defaultHandling
    /// Give the request up.
    case cancel
    /// Send it again with this.
    case use(Credential)
    /// Not this way: the next challenge that the server offers is asked about.
    case reject
}

/// Answers with one credential, once: a second refusal is the answer. It is for the origin that was asked first, and goes to
/// no other.
public struct CredentialHandler: ChallengeHandler {
    private let user: String
    private let password: String

    public init(user: String, password: String) {
        self.user = user
        self.password = password
    }

    public func answer(_ challenge: AuthenticationChallenge) async -> ChallengeAnswer {
        guard challenge.previousFailures == 0 else { return .defaultHandling }
        switch challenge.scheme {
        case "digest": return .use(.digest(user: user, password: password))
        case "basic": return .use(.basic(user: user, password: password))
        default: return .reject
        }
    }
}
