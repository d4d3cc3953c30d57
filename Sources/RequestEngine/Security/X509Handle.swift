internal import COpenSSL

/// Owns a reference to one of OpenSSL's certificates.
struct X509Handle: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// Parses one certificate. Runs inside `withOpenSSLErrors`.
    init(der: [UInt8]) throws(SecurityError) {
        let parsed = der.withUnsafeBufferPointer { bytes -> (x509: OpaquePointer?, rest: Int) in
            var position = bytes.baseAddress
            let x509 = d2i_X509(nil, &position, bytes.count)
            let end = bytes.baseAddress?.advanced(by: bytes.count)
            return (x509, position.flatMap { end.map($0.distance) } ?? 0)
        }
        guard let x509 = parsed.x509 else { throw .notACertificate(path: nil, reason: latestOpenSSLError()) }
        guard parsed.rest == 0 else {
            X509_free(x509)
            throw .notACertificate(path: nil, reason: "\(parsed.rest) bytes follow it")
        }
        pointer = x509
    }

    deinit {
        X509_free(pointer)
    }

    /// Lends the certificate. The owner outlives the call, which a pointer that is merely read from it would not ensure.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }
}

/// Owns a stack of OpenSSL's certificates, and a reference to each.
struct X509Stack: ~Copyable {
    private let pointer: OpaquePointer?

    /// Takes over a stack and its references; nil is an empty one.
    init(owning pointer: OpaquePointer?) {
        self.pointer = pointer
    }

    /// Parses certificates into a new stack. Runs inside `withOpenSSLErrors`.
    init(_ certificates: some Sequence<Certificate>) throws(SecurityError) {
        let stack = netwatch_x509_stack_new()
        pointer = stack
        for certificate in certificates {
            try X509Handle(der: certificate.der).withPointer { x509 throws(SecurityError) in
                guard netwatch_x509_stack_push(stack, x509) > 0 else {
                    throw .library(call: "sk_X509_push", reason: latestOpenSSLError())
                }
                X509_up_ref(x509)
            }
        }
    }

    deinit {
        netwatch_x509_stack_free(pointer)
    }

    /// Lends the stack for the time of a call.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try body(pointer)
    }

    var count: Int { max(0, Int(netwatch_x509_stack_count(pointer))) }

    /// The certificate at an index; the stack keeps its reference.
    subscript(index: Int) -> OpaquePointer? {
        netwatch_x509_stack_value(pointer, CInt(index))
    }
}
