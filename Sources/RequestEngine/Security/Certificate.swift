public import NetworkAddress

/// An X.509 certificate (RFC 5280): its bytes, and the facts in them that decide and that people ask for.
///
/// Two certificates are equal if their bytes are.
public struct Certificate: Sendable {
    /// The certificate itself, in DER.
    public let der: [UInt8]
    /// The subject's distinguished name as RFC 2253 writes it.
    public let subject: String
    /// The issuer's distinguished name as RFC 2253 writes it.
    public let issuer: String
    /// The serial number in upper-case hexadecimal.
    public let serialNumber: String
    /// The subject's alternative names. Host names are looked for here only, never in the subject.
    public let names: [SubjectAlternativeName]
    /// From when the certificate is valid, in seconds since 1970-01-01 UTC.
    public let notBefore: Int64
    /// Until when the certificate is valid, in seconds since 1970-01-01 UTC.
    public let notAfter: Int64
    /// The public key with its algorithm: the SubjectPublicKeyInfo in DER.
    public let subjectPublicKeyInfo: [UInt8]
    /// Whether it may issue certificates (basic constraints).
    public let isCertificateAuthority: Bool
    /// The SHA-256 digest of the certificate.
    public let fingerprint: SHA256Digest
}

extension Certificate: Hashable {
    public static func == (one: Certificate, other: Certificate) -> Bool { one.der == other.der }

    public func hash(into hasher: inout Hasher) { hasher.combine(fingerprint) }
}

extension Certificate: CustomStringConvertible {
    public var description: String { "\(subject) (issued by \(issuer), serial \(serialNumber))" }
}

/// A name of a certificate's subject (RFC 5280, section 4.2.1.6), of the kinds that name a server or a service.
public enum SubjectAlternativeName: Hashable, Sendable {
    /// A host name; `*` as its first label stands for any one label.
    case dns(String)
    case address(IPAddress)
    case uri(String)
    case email(String)
}

extension SubjectAlternativeName: CustomStringConvertible {
    public var description: String {
        switch self {
        case .dns(let text), .uri(let text), .email(let text): text
        case .address(let address): address.description
        }
    }
}
