internal import COpenSSL

/// A PKCS#12 container (RFC 7292): a certificate, its key, and others that go with it.
struct PKCS12File {
    private let path: String
    private let bytes: [UInt8]

    init(_ path: String) throws(SecurityError) {
        self.path = path
        bytes = try FileContents.read(path, limit: Certificate.fileLimit)
    }

    /// The certificate with those that go with it, and the key.
    func open(passphrase: String?) throws(SecurityError) -> ([Certificate], PrivateKey) {
        try withOpenSSLErrors { () throws(SecurityError) in
            guard let container = try unsafe MemoryBIO(bytes).withPointer({ unsafe d2i_PKCS12_bio($0, nil) }) else {
                throw .notAPKCS12(path: path, reason: latestOpenSSLError())
            }
            defer { unsafe PKCS12_free(container) }
            let passphrase = try unsafe confirmed(passphrase, container)
            return try unsafe contents(of: container, passphrase)
        }
    }

    /// The passphrase by which the container proves to be whole. None and an empty one are written in two ways.
    private func confirmed(_ passphrase: String?, _ container: OpaquePointer) throws(SecurityError) -> String? {
        guard unsafe PKCS12_mac_present(container) == 1 else { return passphrase }
        if unsafe PKCS12_verify_mac(container, passphrase, -1) == 1 { return passphrase }
        guard passphrase?.isEmpty ?? true else { throw .wrongPassphrase(path: path) }
        let other = passphrase == nil ? "" : nil
        guard unsafe PKCS12_verify_mac(container, other, -1) == 1 else { throw .passphraseMissing(path: path) }
        return other
    }

    private func contents(
        of container: OpaquePointer, _ passphrase: String?
    ) throws(SecurityError) -> ([Certificate], PrivateKey) {
        var (key, leaf, others): (OpaquePointer?, OpaquePointer?, OpaquePointer?)
        guard unsafe PKCS12_parse(container, passphrase, &key, &leaf, &others) == 1 else {
            throw .notAPKCS12(path: path, reason: latestOpenSSLError())
        }
        let certificate = unsafe leaf.map { unsafe X509Handle(owning: $0) }
        let stack = unsafe X509Stack(owning: others)
        guard let owned = unsafe key.map({ unsafe PrivateKey(owning: $0) }) else { throw .noPrivateKey(path: path) }
        guard let certificate else { throw .noCertificates(path: path) }
        var chain = unsafe [try certificate.withPointer(Certificate.init(x509:))]
        for index in 0..<stack.count {
            if let other = unsafe stack[index] { unsafe chain.append(try Certificate(x509: other)) }
        }
        // A container holds the others in any order, and others still; a server wants each after the one it has issued.
        let presented = try PresentedChain(chain)
        return (IssuerPath(presented).certificates, owned)
    }
}
