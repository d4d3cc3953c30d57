internal import COpenSSL

/// A certificate of our own with its private key, for servers that ask for one (mutual TLS).
///
/// It is read once, when it is made, so that a wrong file or passphrase is told at once. Two identities are equal if
/// their certificates are.
public final class ClientIdentity: Sendable {
    /// Our certificate, and after it the intermediate ones that are sent with it.
    public let chain: [Certificate]
    /// The files it was read from.
    public let files: Files
    private let key: PrivateKey

    /// Reads an identity from PEM or DER files.
    ///
    /// - Parameters:
    ///   - certificate: The file of the certificate, and in PEM of the intermediate ones after it.
    ///   - privateKey: The file of the key, in PEM or DER; nil if it stands in the certificate's file.
    ///   - passphrase: What the key is encrypted with.
    public convenience init(
        certificate: String, privateKey: String? = nil, passphrase: String? = nil
    ) throws(SecurityError) {
        try self.init(.certificate(certificate, privateKey: privateKey), passphrase: passphrase)
    }

    /// Reads an identity from a PKCS#12 container (RFC 7292; `.p12`, `.pfx`).
    public convenience init(pkcs12 path: String, passphrase: String? = nil) throws(SecurityError) {
        try self.init(.pkcs12(path), passphrase: passphrase)
    }

    /// Reads an identity from its files. Without a passphrase, that of the files' own is used, if they name one.
    public init(_ files: Files, passphrase: String? = nil) throws(SecurityError) {
        let passphrase = passphrase == nil ? try files.passphrase : passphrase
        self.files = files
        switch files.format {
        case .pem(let certificate, let privateKey):
            chain = try Certificate.certificates(file: certificate)
            key = try PrivateKey(file: privateKey ?? certificate, passphrase: passphrase)
            guard try key.belongs(to: chain[0]) else {
                throw .keyMismatch(certificate: certificate, key: privateKey ?? certificate)
            }
        case .pkcs12(let path):
            (chain, key) = try PKCS12File(path).open(passphrase: passphrase)
        }
    }

    /// Lets the connections of an `SSL_CTX` present this identity.
    func install(into context: OpaquePointer) throws(SecurityError) {
        try withOpenSSLErrors { () throws(SecurityError) in
            let hasLeaf = try unsafe X509Handle(der: chain[0].der).withPointer {
                unsafe SSL_CTX_use_certificate(context, $0) == 1
            }
            let hasChain = try unsafe X509Stack(chain.dropFirst()).withPointer {
                unsafe netwatch_ssl_ctx_set1_chain(context, $0) == 1
            }
            guard hasLeaf, hasChain, unsafe SSL_CTX_use_PrivateKey(context, key.pointer) == 1 else {
                throw .library(call: "SSL_CTX_use_certificate", reason: latestOpenSSLError())
            }
        }
    }
}

extension ClientIdentity: Hashable {
    public static func == (one: ClientIdentity, other: ClientIdentity) -> Bool { one.chain == other.chain }

    public func hash(into hasher: inout Hasher) { hasher.combine(chain) }
}
