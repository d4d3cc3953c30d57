internal import COpenSSL

/// A chain as a server presents it: OpenSSL's certificates, and the values made of them.
struct PresentedChain: ~Copyable {
    let stack: X509Stack
    let certificates: [Certificate]
    private let known: KnownCertificates

    /// A chain of given certificates, the server's own first. Runs inside `withOpenSSLErrors`.
    init(_ certificates: [Certificate]) throws(SecurityError) {
        stack = try X509Stack(certificates)
        self.certificates = certificates
        known = KnownCertificates()
    }

    /// The chain that a handshake has received. Runs inside `withOpenSSLErrors`.
    init(handshake context: OpaquePointer, known: KnownCertificates) throws(SecurityError) {
        self.known = known
        stack = unsafe X509Stack(owning: X509_chain_up_ref(X509_STORE_CTX_get0_untrusted(context)))
        var certificates: [Certificate] = []
        for index in 0..<stack.count {
            guard let x509 = unsafe stack[index] else { continue }
            unsafe certificates.append(try known.value(of: x509))
        }
        self.certificates = certificates
    }

    var leaf: OpaquePointer? { unsafe stack.count > 0 ? stack[0] : nil }

    /// The values of a chain that OpenSSL has built, mostly of the very certificates presented.
    func certificates(of built: OpaquePointer?) -> [Certificate] {
        var values: [Certificate] = []
        for position in unsafe 0..<max(0, netwatch_x509_stack_count(built)) {
            guard let x509 = unsafe netwatch_x509_stack_value(built, position) else { continue }
            if let value = unsafe value(of: x509) ?? (try? known.value(of: x509)) { values.append(value) }
        }
        return values
    }

    private func value(of x509: OpaquePointer) -> Certificate? {
        for index in 0..<stack.count where unsafe stack[index] == x509 { return certificates[index] }
        return nil
    }
}
