internal import COpenSSL

/// A certificate of our own with its private key, for servers that ask who we are (mutual TLS).
///
/// It is read once, when it is made, so that a wrong file or passphrase is told at once. Two identities are equal if
/// their certificates are.
public final class ClientIdentity: Sendable {
    /// Our certificate, and after it the intermediate ones that are sent with it.
    public let chain: [Certificate]
    /// The address of OpenSSL's key, which is never changed once it is read and which counts its references itself.
    private let address: UInt

    private var key: OpaquePointer? { OpaquePointer(bitPattern: address) }

    /// Reads an identity.
    ///
    /// - Parameters:
    ///   - certificate: The file of the certificate, and in PEM of the intermediate ones after it.
    ///   - privateKey: The file of the key, in PEM or DER; nil if it stands in the certificate's file.
    ///   - passphrase: What the key is encrypted with.
    public init(
        certificate: String, privateKey: String? = nil, passphrase: String? = nil
    ) throws(SecurityError) {
        chain = try Certificate.certificates(file: certificate)
        let path = privateKey ?? certificate
        let key = try withOpenSSLErrors { () throws(SecurityError) in
            try Self.readKey(path, passphrase: passphrase)
        }
        address = UInt(bitPattern: key)
        let leaf = chain[0]
        try withOpenSSLErrors { () throws(SecurityError) in
            let fits = try X509Handle(der: leaf.der).withPointer { X509_check_private_key($0, key) == 1 }
            guard fits else { throw .keyMismatch(certificate: certificate, key: path) }
        }
    }

    deinit {
        EVP_PKEY_free(key)
    }

    /// Lets the connections of an `SSL_CTX` present this identity.
    func install(into context: OpaquePointer) throws(SecurityError) {
        try withOpenSSLErrors { () throws(SecurityError) in
            let hasLeaf = try X509Handle(der: chain[0].der).withPointer { SSL_CTX_use_certificate(context, $0) == 1 }
            let hasChain = try X509Stack(chain.dropFirst()).withPointer {
                netwatch_ssl_ctx_set1_chain(context, $0) == 1
            }
            guard hasLeaf, hasChain, SSL_CTX_use_PrivateKey(context, key) == 1 else {
                throw .library(call: "SSL_CTX_use_certificate", reason: latestOpenSSLError())
            }
        }
    }

    // MARK: Reading the key

    private static func readKey(_ path: String, passphrase: String?) throws(SecurityError) -> OpaquePointer {
        let bytes = try FileContents.read(path, limit: Certificate.fileLimit)
        let isPEM = Certificate.isPEM(bytes)
        let key = try MemoryBIO(bytes).withPointer { decode($0, isPEM: isPEM, passphrase: passphrase) }
        if let key { return key }
        guard isPEM, isEncrypted(bytes) else { throw .notAPrivateKey(path: path, reason: latestOpenSSLError()) }
        if passphrase == nil { throw .passphraseMissing(path: path) }
        throw .wrongPassphrase(path: path)
    }

    private static func decode(_ input: OpaquePointer, isPEM: Bool, passphrase: String?) -> OpaquePointer? {
        guard isPEM else { return d2i_PrivateKey_bio(input, nil) }
        guard let passphrase else { return PEM_read_bio_PrivateKey(input, nil, refusePassphrase, nil) }
        // With no callback OpenSSL takes the pointer for the passphrase itself.
        return passphrase.withCString {
            PEM_read_bio_PrivateKey(input, nil, nil, UnsafeMutableRawPointer(mutating: $0))
        }
    }

    /// Both forms of an encrypted key say so: `BEGIN ENCRYPTED PRIVATE KEY` and `Proc-Type: 4,ENCRYPTED`.
    private static func isEncrypted(_ pem: [UInt8]) -> Bool {
        String(decoding: pem, as: UTF8.self).contains("ENCRYPTED")
    }
}

extension ClientIdentity: Hashable {
    public static func == (one: ClientIdentity, other: ClientIdentity) -> Bool { one.chain == other.chain }

    public func hash(into hasher: inout Hasher) { hasher.combine(chain) }
}
