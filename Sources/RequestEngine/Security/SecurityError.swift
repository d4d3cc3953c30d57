public import SystemPackage

/// Why something a ``SecurityPolicy`` is made of cannot be used. It is told before any connection is made.
public enum SecurityError: Error, Hashable, Sendable {
    /// A file or folder could not be read.
    case unreadable(path: String, Errno)
    /// A file is larger than anything of its kind.
    case tooLarge(path: String, limit: Int)
    /// Bytes are not a certificate; `path` is nil where they did not come from a file.
    case notACertificate(path: String?, reason: String)
    /// A file or folder that should hold certificates holds none.
    case noCertificates(path: String)
    /// This host has no trust store where OpenSSL looks for one.
    case noSystemAnchors(file: String, folder: String)
    /// A file is not a revocation list.
    case notARevocationList(path: String, reason: String)
    /// A file is not a private key, or of a kind that TLS cannot use.
    case notAPrivateKey(path: String, reason: String)
    /// A private key is encrypted, and no passphrase was given.
    case passphraseMissing(path: String)
    /// A private key cannot be decrypted with the passphrase given.
    case wrongPassphrase(path: String)
    /// A private key is not that of the certificate it was given with.
    case keyMismatch(certificate: String, key: String)
    /// A file is not a PKCS#12 container, or one that this OpenSSL cannot open.
    case notAPKCS12(path: String, reason: String)
    /// A file that should hold a private key holds none.
    case noPrivateKey(path: String)
    /// A text is not a public key pin.
    case invalidPin(String)
    /// A text is not a pattern of host names.
    case invalidHostPattern(String)
    /// OpenSSL could not make what it was asked for.
    case library(call: String, reason: String)
}

extension SecurityError: CustomStringConvertible {
    public var description: String {
        switch self {
        case .unreadable(let path, let errno):
            "\(path) cannot be read: \(RegularFile.explain(errno))"
        case .tooLarge(let path, let limit):
            "\(path) is larger than \(limit) bytes, which nothing of its kind is"
        case .notACertificate(let path, let reason):
            "\(path ?? "what was given") is not a certificate: \(reason); give DER or PEM"
        case .noCertificates(let path):
            "\(path) holds no certificate"
        case .noSystemAnchors(let file, let folder):
            "this host has no trust store, neither \(file) nor \(folder): install ca-certificates or name a CA file"
        case .notARevocationList(let path, let reason):
            "\(path) is not a revocation list: \(reason); give DER or PEM"
        case .notAPrivateKey(let path, let reason):
            "\(path) is not a private key: \(reason); give PEM or DER"
        case .passphraseMissing(let path):
            "the private key in \(path) is encrypted: give its passphrase"
        case .wrongPassphrase(let path):
            "the private key in \(path) cannot be decrypted with the passphrase given"
        case .keyMismatch(let certificate, let key):
            "the private key in \(key) does not belong to the certificate in \(certificate)"
        case .notAPKCS12(let path, let reason):
            "\(path) cannot be read as PKCS#12: \(reason); if it is encrypted in an old way, export it again"
        case .noPrivateKey(let path):
            "\(path) holds no private key"
        case .invalidPin(let text):
            "\"\(text)\" is not a public key pin: give sha256//BASE64 of the SubjectPublicKeyInfo"
        case .invalidHostPattern(let text):
            "\"\(text)\" is not a host pattern: give HOST, *.DOMAIN or an address, each with :PORT if needed"
        case .library(let call, let reason):
            "OpenSSL failed: \(call): \(reason)"
        }
    }
}
