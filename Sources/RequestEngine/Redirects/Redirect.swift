public import FoundationEssentials

/// A redirect that a server asks for, before it is followed.
public struct Redirect: Sendable {
    /// The request that was answered with the redirect.
    public let request: Request
    public let response: Response
    /// What is sent next if the redirect is followed.
    public let proposed: Request
    /// Where this task has been redirected from, the first URL first.
    public let hops: [URL]
}

/// What to do about a redirect.
public enum RedirectDecision: Sendable {
    /// Send what is proposed.
    case follow
    /// Send this instead. What it takes over of the secrets of ``Redirect/request`` does not go to another origin; what
    /// it adds (`Authorization`, a credential) is for the origin that it asks.
    case modify(Request)
    /// Send nothing: the redirect itself is the answer.
    case refuse
}

/// Decides whether redirects are followed.
public protocol RedirectHandler: Sendable {
    /// Runs on the session's loop, which it must not block.
    func decide(_ redirect: Redirect) async -> RedirectDecision
}

/// Follows every redirect, or none.
public struct RedirectAnswer: RedirectHandler {
    private let decision: RedirectDecision

    public static let follow = RedirectAnswer(decision: .follow)
    public static let refuse = RedirectAnswer(decision: .refuse)

    public func decide(_ redirect: Redirect) async -> RedirectDecision { decision }
}

/// Follows redirects that stay on the same scheme, host and port.
public struct SameOriginRedirects: RedirectHandler {
    public init() {}

    public func decide(_ redirect: Redirect) async -> RedirectDecision {
        Origin(redirect.request.url) == Origin(redirect.proposed.url) ? .follow : .refuse
    }
}

/// Decides with a closure.
public struct RedirectClosure: RedirectHandler {
    private let body: @Sendable (Redirect) async -> RedirectDecision

    public init(_ body: @escaping @Sendable (Redirect) async -> RedirectDecision) {
        self.body = body
    }

    public func decide(_ redirect: Redirect) async -> RedirectDecision { await body(redirect) }
}
