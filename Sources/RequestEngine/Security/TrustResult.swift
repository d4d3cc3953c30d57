/// What was found about a chain that a policy accepts.
public struct TrustResult: Hashable, Sendable {
    /// The chain as the server sent it, its own certificate first.
    public let presentedChain: [Certificate]
    /// The chain that was verified, from the server's certificate to an anchor; the presented one where an invalid
    /// chain was allowed.
    public let chain: [Certificate]
    /// What is wrong with the chain and was allowed by the policy; nil where nothing is.
    public let allowed: TrustError.Reason?

    /// The time when the first certificate of the presented chain expires, in seconds since 1970-01-01 UTC.
    public var earliestExpiry: Int64? { presentedChain.map(\.notAfter).min() }
}
