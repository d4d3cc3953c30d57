internal import COpenSSL
internal import Glibc
internal import NetworkAddress

extension Certificate {
    /// Reads the facts out of OpenSSL's certificate, which stays the caller's.
    ///
    /// Runs inside `withOpenSSLErrors`.
    init(x509: OpaquePointer) throws(SecurityError) {
        try unsafe self.init(x509: x509, der: Self.der(of: x509))
    }

    /// The certificate itself, in DER.
    static func der(of x509: OpaquePointer) throws(SecurityError) -> [UInt8] {
        guard let der = unsafe encode({ unsafe i2d_X509(x509, $0) }) else { throw malformed("it has no DER form") }
        return der
    }

    /// The same where its DER form is at hand.
    init(x509: OpaquePointer, der: [UInt8]) throws(SecurityError) {
        guard let notBefore = unsafe Self.seconds(X509_get0_notBefore(x509)),
            let notAfter = unsafe Self.seconds(X509_get0_notAfter(x509))
        else { throw Self.malformed("its dates cannot be read") }
        guard let key = unsafe Self.encode({ unsafe i2d_X509_PUBKEY(X509_get_X509_PUBKEY(x509), $0) }) else {
            throw Self.malformed("it has no public key")
        }
        unsafe self.init(
            der: der,
            subject: Self.text(of: X509_get_subject_name(x509)),
            issuer: Self.text(of: X509_get_issuer_name(x509)),
            serialNumber: Self.serialNumber(of: x509),
            names: Self.names(of: x509),
            notBefore: notBefore,
            notAfter: notAfter,
            subjectPublicKeyInfo: key,
            isCertificateAuthority: X509_check_ca(x509) == 1,
            fingerprint: SHA256Digest(of: der))
    }

    private static func malformed(_ reason: String) -> SecurityError { .notACertificate(path: nil, reason: reason) }

    /// Calls one of the `i2d_` functions, first for the length and then for the bytes.
    private static func encode(
        _ i2d: (UnsafeMutablePointer<UnsafeMutablePointer<UInt8>?>?) -> CInt
    ) -> [UInt8]? {
        let length = Int(i2d(nil))
        guard length > 0 else { return nil }
        return unsafe [UInt8](unsafeUninitializedCapacity: length) { buffer, count in
            var position = buffer.baseAddress
            count = unsafe max(0, Int(i2d(&position)))
        }
    }

    static func seconds(_ time: UnsafePointer<ASN1_TIME>?) -> Int64? {
        guard let time = unsafe time else { return nil }
        var calendar = unsafe tm()
        return unsafe ASN1_TIME_to_tm(time, &calendar) == 1 ? Int64(timegm(&calendar)) : nil
    }

    private static func text(of name: OpaquePointer?) -> String {
        unsafe printed { unsafe netwatch_name_print($0, name) }
    }

    private static func serialNumber(of x509: OpaquePointer) -> String {
        unsafe printed { unsafe i2a_ASN1_INTEGER($0, X509_get0_serialNumber(x509)) }
    }

    /// What an OpenSSL function prints.
    private static func printed(_ print: (OpaquePointer) -> CInt) -> String {
        guard let output = try? MemoryBIO(), unsafe output.withPointer(print) >= 0 else { return "" }
        return output.text
    }

    // MARK: Names

    private static func names(of x509: OpaquePointer) -> [SubjectAlternativeName] {
        guard let extensions = unsafe X509_get_ext_d2i(x509, NID_subject_alt_name, nil, nil) else { return [] }
        let names = OpaquePointer(extensions)
        defer { unsafe GENERAL_NAMES_free(names) }
        return unsafe (0..<netwatch_general_names_count(names)).compactMap {
            unsafe netwatch_general_names_value(names, $0).flatMap(name)
        }
    }

    private static func name(_ name: UnsafePointer<GENERAL_NAME>) -> SubjectAlternativeName? {
        switch unsafe name.pointee.type {
        case GEN_DNS: unsafe .dns(text(of: name))
        case GEN_URI: unsafe .uri(text(of: name))
        case GEN_EMAIL: unsafe .email(text(of: name))
        case GEN_IPADD: unsafe IPAddress(bytes: bytes(of: name)).map(SubjectAlternativeName.address)
        default: nil
        }
    }

    private static func text(of name: UnsafePointer<GENERAL_NAME>) -> String {
        unsafe String(decoding: bytes(of: name), as: UTF8.self)
    }

    private static func bytes(of name: UnsafePointer<GENERAL_NAME>) -> [UInt8] {
        let string = unsafe netwatch_general_name_string(name)
        return unsafe Array(
            UnsafeBufferPointer(start: ASN1_STRING_get0_data(string), count: Int(ASN1_STRING_length(string))))
    }
}
