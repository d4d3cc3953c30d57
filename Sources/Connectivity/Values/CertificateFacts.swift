public import FoundationEssentials

internal import struct RequestEngine.UTCTime

/// What matters of a server's certificate.
public struct CertificateFacts: Hashable, Sendable, Codable {
    /// The subject's distinguished name (RFC 2253).
    public var subject: String
    /// The issuer's.
    public var issuer: String
    /// From when to when it is valid, in seconds since 1970-01-01 UTC.
    package var notBeforeSeconds: Int64
    package var notAfterSeconds: Int64

    /// From when on it is valid.
    public var notBefore: Date { Date(timeIntervalSince1970: Double(notBeforeSeconds)) }
    /// Until when.
    public var notAfter: Date { Date(timeIntervalSince1970: Double(notAfterSeconds)) }

    /// The names by which recordings have them.
    private enum CodingKeys: String, CodingKey {
        case subject, issuer
        case notBeforeSeconds = "notBefore"
        case notAfterSeconds = "notAfter"
    }

    package init(subject: String, issuer: String, notBefore: Int64, notAfter: Int64) {
        self.subject = subject
        self.issuer = issuer
        notBeforeSeconds = notBefore
        notAfterSeconds = notAfter
    }
}

extension CertificateFacts: CustomStringConvertible {
    public var description: String { "\(subject), issued by \(issuer), until \(UTCTime(notAfterSeconds))" }
}
