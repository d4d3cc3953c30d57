internal import COpenSSL

/// Owns one of OpenSSL's private keys.
@safe
final class PrivateKey: Sendable {
    /// Safe because OpenSSL's key is never changed once it is read, and counts its references itself.
    nonisolated(unsafe) let pointer: OpaquePointer?

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// Reads a key in PEM or DER.
    convenience init(file path: String, passphrase: String?) throws(SecurityError) {
        let bytes = try FileContents.read(path, limit: Certificate.fileLimit)
        unsafe self.init(
            owning: try withOpenSSLErrors { () throws(SecurityError) in
                try unsafe Self.read(bytes, path: path, passphrase: passphrase)
            })
    }

    deinit {
        unsafe EVP_PKEY_free(pointer)
    }

    /// Whether this is the key of a certificate.
    func belongs(to certificate: Certificate) throws(SecurityError) -> Bool {
        try withOpenSSLErrors { () throws(SecurityError) in
            try unsafe X509Handle(der: certificate.der).withPointer { unsafe X509_check_private_key($0, pointer) == 1 }
        }
    }

    private static func read(
        _ bytes: [UInt8], path: String, passphrase: String?
    ) throws(SecurityError) -> OpaquePointer {
        let isPEM = Certificate.isPEM(bytes)
        let key = try unsafe MemoryBIO(bytes).withPointer { unsafe decode($0, isPEM: isPEM, passphrase: passphrase) }
        if let key = unsafe key { return unsafe key }
        guard isPEM, isEncrypted(bytes) else { throw .notAPrivateKey(path: path, reason: latestOpenSSLError()) }
        if passphrase == nil { throw .passphraseMissing(path: path) }
        throw .wrongPassphrase(path: path)
    }

    private static func decode(_ input: OpaquePointer, isPEM: Bool, passphrase: String?) -> OpaquePointer? {
        guard isPEM else { return unsafe d2i_PrivateKey_bio(input, nil) }
        guard let passphrase else { return unsafe PEM_read_bio_PrivateKey(input, nil, refusePassphrase, nil) }
        // With no callback OpenSSL takes the pointer for the passphrase itself.
        return unsafe passphrase.withCString {
            unsafe PEM_read_bio_PrivateKey(input, nil, nil, UnsafeMutableRawPointer(mutating: $0))
        }
    }

    /// Both forms of an encrypted key say so: `BEGIN ENCRYPTED PRIVATE KEY` and `Proc-Type: 4,ENCRYPTED`.
    private static func isEncrypted(_ pem: [UInt8]) -> Bool {
        String(decoding: pem, as: UTF8.self).contains("ENCRYPTED")
    }
}
