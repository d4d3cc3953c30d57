internal import COpenSSL

/// Evaluates chains by one policy. It holds what the policy names, read once: anchors, pins, revocation lists.
///
/// It may be used from any thread.
public final class TrustEvaluator: Sendable {
    public let policy: SecurityPolicy
    private let store: TrustStore
    private let pinStore: TrustStore?
    private let revocation: RevocationStore?
    /// The certificates of servers and of their issuers.
    let known = KnownCertificates()

    /// Reads what the policy names.
    public convenience init(_ policy: SecurityPolicy) throws(SecurityError) {
        try self.init(policy, store: TrustStore(policy.anchors))
    }

    /// An evaluator over a store that is shared with other policies of the same anchors.
    init(_ policy: SecurityPolicy, store: TrustStore) throws(SecurityError) {
        self.policy = policy
        self.store = store
        pinStore = policy.pinningMode == .certificate ? try TrustStore(policy.pinnedCertificates) : nil
        revocation = try policy.revocation.map { lists throws(SecurityError) in try RevocationStore(lists) }
    }

    /// Decides whether a chain is trusted, in the order of AFNetworking's security policy.
    ///
    /// - Parameters:
    ///   - chain: The chain as the server sent it, its own certificate first.
    ///   - host: The host asked for. With nil none is checked.
    ///   - stapledResponse: The OCSP response that came with the chain, in DER.
    ///   - time: When it is to be valid, in seconds since 1970-01-01 UTC; nil is now.
    public func evaluate(
        _ chain: [Certificate], host: String?, stapledResponse: [UInt8]? = nil, at time: Int64? = nil
    ) throws(TrustError) -> TrustResult {
        try withOpenSSLErrors { () throws(TrustError) in
            guard let presented = try? PresentedChain(chain) else {
                throw TrustError(reason: .malformed("it cannot be parsed again"), chain: chain, host: host)
            }
            let result = try evaluate(presented, host: host, at: time)
            try checkStapling(stapledResponse, of: result, host: host, at: time)
            return result
        }
    }

    /// Decides whether the OCSP response stapled to a chain that is trusted is what the policy asks for.
    ///
    /// Runs inside `withOpenSSLErrors`.
    func checkStapling(
        _ response: [UInt8]?, of result: TrustResult, host: String?, at time: Int64?
    ) throws(TrustError) {
        guard policy.stapling != .ignored, !policy.allowsInvalidCertificates, let leaf = result.presentedChain.first
        else { return }
        do throws(TrustError.Reason) {
            guard let response else {
                guard policy.stapling == .required else { return }
                throw .revocationUnknown(
                    subject: leaf.subject, detail: "the server has stapled no OCSP response to it")
            }
            try StapledResponse(response, about: leaf).check(
                issuerAmong: result.chain + result.presentedChain, at: time ?? WallClock.seconds())
        } catch {
            throw TrustError(reason: error, chain: result.presentedChain, host: host)
        }
    }

    /// Runs inside `withOpenSSLErrors`.
    func evaluate(
        _ chain: borrowing PresentedChain, host: String?, at time: Int64?
    ) throws(TrustError) -> TrustResult {
        do {
            let (verified, allowed) = try decide(chain, host: policy.validatesDomainName ? host : nil, at: time)
            return TrustResult(presentedChain: chain.certificates, chain: verified, allowed: allowed)
        } catch {
            throw TrustError(reason: error, chain: chain.certificates, host: host)
        }
    }

    /// Whether the files that the policy names are still those that were read.
    var isCurrent: Bool { store.isCurrent && revocation?.isCurrent ?? true }

    // MARK: The decision

    /// The verified chain, and what was allowed.
    private typealias Decision = ([Certificate], TrustError.Reason?)

    private func decide(
        _ chain: borrowing PresentedChain, host: String?, at time: Int64?
    ) throws(TrustError.Reason) -> Decision {
        guard unsafe chain.leaf != nil else { throw .noCertificate }
        let pinsNothing = policy.pinningMode == .none || policy.hasNoPins
        guard host == nil || !policy.allowsInvalidCertificates || !pinsNothing else { throw .invalidPolicy }
        let (verified, failure) = verifyAgainstAnchors(chain, host: host, at: time)
        if let failure, !policy.allowsInvalidCertificates { throw failure }
        switch policy.pinningMode {
        case .none: return (verified, failure)
        case .certificate: return (try verifyAgainstPins(chain, host: host, at: time), failure)
        case .publicKey:
            return (try comparePublicKeys(chain, verified: verified, failure: failure, host: host), failure)
        }
    }

    private func verification(_ store: TrustStore, host: String?, at time: Int64?) -> ChainVerification {
        ChainVerification(store: store, host: host, isForServer: policy.validatesDomainName, time: time)
    }

    private func verifyAgainstAnchors(
        _ chain: borrowing PresentedChain, host: String?, at time: Int64?
    ) -> ([Certificate], TrustError.Reason?) {
        var verification = verification(store, host: host, at: time)
        verification.revocation = revocation
        switch verification.run(chain) {
        case .success(let verified): return (verified, nil)
        case .failure(let failure):
            return (chain.certificates, TrustError.Reason(failure, chain: chain.certificates, host: host))
        }
    }

    /// The pins are the only anchors. Any of them ends a chain, be it a leaf's or an intermediate's certificate.
    private func verifyAgainstPins(
        _ chain: borrowing PresentedChain, host: String?, at time: Int64?
    ) throws(TrustError.Reason) -> [Certificate] {
        guard let pinStore, !policy.hasNoPins else { throw .noPins }
        var verification = verification(pinStore, host: host, at: time)
        verification.acceptsPartialChain = true
        switch verification.run(chain) {
        case .success(let verified):
            guard verified.contains(where: policy.pinnedCertificates.contains) else { throw .pinMismatch }
            return verified
        case .failure(let failure):
            throw TrustError.Reason(failure, chain: chain.certificates, host: host).forPins
        }
    }

    private func comparePublicKeys(
        _ chain: borrowing PresentedChain, verified: [Certificate], failure: TrustError.Reason?, host: String?
    ) throws(TrustError.Reason) -> [Certificate] {
        guard !policy.hasNoPins else { throw .noPins }
        // An invalid chain that is allowed has not been checked for anything: neither for the host, nor for whether
        // its certificates belong together.
        if failure != nil, let host, unsafe !HostName(host).matches(chain.leaf) {
            throw .wrongHost(host: host, chain: chain.certificates)
        }
        let candidates = failure == nil ? verified : IssuerPath(chain).certificates
        let pins = policy.pins
        guard candidates.contains(where: { pins.contains(PublicKeyPin($0)) }) else { throw .pinMismatch }
        return candidates
    }
}

extension TrustError.Reason: Error {
    /// With the pins as the only anchors, an issuer that is not known is one that is not pinned.
    fileprivate var forPins: Self {
        switch self {
        case .unknownIssuer, .selfSigned: .pinMismatch
        default: self
        }
    }
}
