public import Foundation

/// What a test's certificate is to be like.
public struct CertificateRequest: Sendable {
    /// Alternative names as OpenSSL writes them: `DNS:localhost`, `IP:127.0.0.1`. None leaves the common name alone.
    public var names: [String]
    public var key = Key.ec
    public var notBefore = Date(timeIntervalSinceNow: -86400)
    public var notAfter = Date(timeIntervalSinceNow: 365 * 86400)
    public var issuer = CertificateAuthority.Issuer.intermediate
    /// `serverAuth` or `clientAuth`; nil leaves the extension away.
    public var usage: String? = "serverAuth"
    /// Whether it may issue certificates itself.
    public var isAuthority = false

    public init(names: [String] = ["DNS:localhost", "IP:127.0.0.1"]) {
        self.names = names
    }

    public init(names: [String] = ["DNS:localhost", "IP:127.0.0.1"], _ change: (inout CertificateRequest) -> Void) {
        self.init(names: names)
        change(&self)
    }

    public enum Key: Sendable, CaseIterable {
        case ec, rsa, ed25519
        /// RSA of 1024 bits, which is too weak.
        case weak

        var arguments: [String] {
            switch self {
            case .ec: ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256"]
            case .rsa: ["-newkey", "rsa:2048"]
            case .ed25519: ["-newkey", "ed25519"]
            case .weak: ["-newkey", "rsa:1024"]
            }
        }
    }

    /// The extensions as a configuration file of OpenSSL's has them.
    var extensions: String {
        var lines = [
            "basicConstraints = critical, CA:\(isAuthority ? "TRUE" : "FALSE")",
            "subjectKeyIdentifier = hash", "authorityKeyIdentifier = keyid",
            "keyUsage = critical, \(isAuthority ? "keyCertSign, cRLSign" : "digitalSignature")",
        ]
        if !names.isEmpty { lines.append("subjectAltName = \(names.joined(separator: ","))") }
        if let usage, !isAuthority { lines.append("extendedKeyUsage = \(usage)") }
        return lines.joined(separator: "\n") + "\n"
    }
}

/// A certificate that a test's authority has issued: the paths of its files, all PEM.
public struct IssuedCertificate: Sendable {
    public let file: String
    /// The certificate with the intermediate ones that a server sends along.
    public let chainFile: String
    /// Its private key, not encrypted.
    public let keyFile: String
    public let issuer: CertificateAuthority.Issuer
}
