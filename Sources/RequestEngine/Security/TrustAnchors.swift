/// Which authorities a chain may end in.
public enum TrustAnchors: Hashable, Sendable {
    /// The host's own trust store, where OpenSSL looks for it; `SSL_CERT_FILE` and `SSL_CERT_DIR` move it.
    case system
    /// The certificates of a file (PEM, or one in DER), and no others.
    case file(String)
    /// The certificates of a folder (`.cer`, `.crt`, `.der`, `.pem`), and no others. A file that is none is an error.
    case folder(String)
    /// These certificates, and no others.
    case certificates([Certificate])
}
