public import SystemPackage

/// Why a server's certificate chain is not trusted, with the chain itself.
public struct TrustError: Error, Hashable, Sendable {
    public let reason: Reason
    /// The chain as the server sent it, its own certificate first.
    public let chain: [Certificate]
    /// The host that was asked for; nil where none was to be checked.
    public let host: String?

    public init(reason: Reason, chain: [Certificate], host: String?) {
        self.reason = reason
        self.chain = chain
        self.host = host
    }

    public enum Reason: Hashable, Sendable {
        /// A certificate's time is over. Times are seconds since 1970-01-01 UTC.
        case expired(subject: String, notAfter: Int64)
        /// A certificate's time has not come.
        case notYetValid(subject: String, notBefore: Int64)
        /// The server's certificate is for other names.
        case wrongHost(String, names: [String])
        /// No trusted authority has issued the chain's last certificate, or one between is missing.
        case unknownIssuer(issuer: String)
        /// The chain ends in a certificate that only it itself vouches for.
        case selfSigned(subject: String)
        /// A certificate stands in its issuer's revocation list.
        case revoked(subject: String)
        /// Whether a certificate is revoked cannot be told: there is no list of its issuer, or not one of this time.
        case revocationUnknown(subject: String, detail: String)
        /// Nothing in the chain is pinned.
        case pinMismatch
        /// The policy pins, and there are no pins.
        case noPins
        /// The policy would accept any certificate while it claims to check the name: it is refused (AFNetworking's rule).
        case invalidPolicy
        /// A key or signature is too weak.
        case weak(subject: String, detail: String)
        /// The certificate is not meant for this use.
        case wrongPurpose(subject: String, detail: String)
        /// The server sent no certificate.
        case noCertificate
        /// A certificate sent by the server cannot be read.
        case malformed(String)
        /// This host has no descriptor or memory left to look for the chain's authority. It says nothing of the server.
        case hostShortage(Errno)
        /// Another reason of OpenSSL's: its number (`X509_V_ERR_…`) and its words.
        case other(subject: String, code: Int, detail: String)
    }
}

extension TrustError: CustomStringConvertible {
    public var description: String {
        "\(host ?? "the server") is not trusted: \(reason)"
    }
}

extension TrustError.Reason: CustomStringConvertible {
    public var description: String {
        switch self {
        case .expired(let subject, let notAfter):
            "the certificate of \(subject) expired on \(UTCTime(notAfter))"
        case .notYetValid(let subject, let notBefore):
            "the certificate of \(subject) is valid only from \(UTCTime(notBefore))"
        case .wrongHost(let host, let names):
            "its certificate is not for \(host) but for \(names.isEmpty ? "no host" : names.joined(separator: ", "))"
        case .unknownIssuer(let issuer):
            "no trusted authority is known by the name of \(issuer), or the server leaves out its certificate"
        case .selfSigned(let subject):
            "the certificate of \(subject) is signed by itself and not trusted"
        case .revoked(let subject):
            "the certificate of \(subject) is revoked"
        case .revocationUnknown(let subject, let detail):
            "whether the certificate of \(subject) is revoked cannot be told: \(detail)"
        case .pinMismatch:
            "nothing in its certificate chain is pinned"
        case .noPins:
            "the policy asks for a pinned certificate or key, and none is given"
        case .invalidPolicy:
            "the policy allows invalid certificates and pins nothing, so that checking the host name means nothing"
        case .weak(let subject, let detail), .wrongPurpose(let subject, let detail):
            "the certificate of \(subject) cannot be used: \(detail)"
        case .noCertificate:
            "it sent no certificate"
        case .malformed(let detail):
            "it sent a certificate that cannot be read: \(detail)"
        case .hostShortage(let errno):
            "this host could not look for the authority of its certificate: \(errno)"
        case .other(let subject, let code, let detail):
            "the certificate of \(subject): \(detail) (OpenSSL verify error \(code))"
        }
    }
}
