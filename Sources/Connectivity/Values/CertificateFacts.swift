internal import RequestCore

/// What matters of a server's certificate.
public struct CertificateFacts: Hashable, Sendable, Codable {
    /// The subject's distinguished name (RFC 2253).
    public var subject: String
    /// The issuer's.
    public var issuer: String
    /// From when on it is valid, in seconds since 1970-01-01 UTC.
    public var notBefore: Int64
    /// Until when.
    public var notAfter: Int64

    init(_ certificate: Certificate) {
        subject = certificate.subject
        issuer = certificate.issuer
        notBefore = certificate.notBefore
        notAfter = certificate.notAfter
    }
}

extension CertificateFacts: CustomStringConvertible {
    public var description: String { "\(subject), issued by \(issuer), until \(UTCTime(notAfter))" }
}
