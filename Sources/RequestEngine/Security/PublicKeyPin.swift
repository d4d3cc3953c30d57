/// Names a public key by the SHA-256 digest of its SubjectPublicKeyInfo (RFC 7469, section 2.4).
///
/// A pin stays the same when a certificate is renewed with the same key, and can be made for a spare key that no
/// certificate carries yet.
public struct PublicKeyPin: Hashable, Sendable {
    public let digest: SHA256Digest

    public init(digest: SHA256Digest) {
        self.digest = digest
    }

    /// The pin of a key given as the DER form of its SubjectPublicKeyInfo (`openssl pkey -pubout -outform DER`).
    public init(subjectPublicKeyInfo: [UInt8]) {
        digest = SHA256Digest(of: subjectPublicKeyInfo)
    }

    /// The pin of a certificate's key.
    public init(_ certificate: Certificate) {
        self.init(subjectPublicKeyInfo: certificate.subjectPublicKeyInfo)
    }

    /// Reads a pin as `curl --pinnedpubkey` and HTTP public key pinning write it: `sha256//BASE64`, `sha256/BASE64`, or
    /// the base64 digest alone.
    public init(_ text: String) throws(SecurityError) {
        var base64 = Substring(text)
        for prefix in ["sha256//", "sha256/"] where base64.hasPrefix(prefix) {
            base64 = base64.dropFirst(prefix.count)
            break
        }
        guard let digest = SHA256Digest(base64: String(base64)) else { throw .invalidPin(text) }
        self.digest = digest
    }
}

extension PublicKeyPin: CustomStringConvertible {
    public var description: String { "sha256//\(digest.base64)" }
}
