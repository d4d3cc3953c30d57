/// What is asked of the OCSP response that a server staples to its certificate (RFC 6066, section 8; RFC 6960).
///
/// It is the issuer's word, some hours or days old, that the certificate is not revoked. It comes with the handshake, so
/// no other host is asked.
public enum OCSPStapling: String, Hashable, Sendable, Codable, CaseIterable {
    /// None is asked for.
    case ignored
    /// One is asked for. A server without one passes; one that is wrong, too old or says "revoked" does not.
    case checked
    /// A server without one does not pass.
    case required
}
