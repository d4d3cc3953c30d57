internal import COpenSSL

/// Owns a reference to one of OpenSSL's certificates.
@safe
struct X509Handle: ~Copyable {
    private let pointer: OpaquePointer

    /// Takes over a reference.
    init(owning pointer: OpaquePointer) {
        unsafe self.pointer = pointer
    }

    /// Parses one certificate. Runs inside `withOpenSSLErrors`.
    init(der: [UInt8]) throws(SecurityError) {
        let parsed = unsafe der.withUnsafeBufferPointer { bytes -> (x509: OpaquePointer?, rest: Int) in
            var position = bytes.baseAddress
            let x509 = unsafe d2i_X509(nil, &position, bytes.count)
            let end = unsafe bytes.baseAddress?.advanced(by: bytes.count)
            return unsafe (x509, position.flatMap { unsafe end.map($0.distance) } ?? 0)
        }
        guard let x509 = unsafe parsed.x509 else { throw .notACertificate(path: nil, reason: latestOpenSSLError()) }
        guard unsafe parsed.rest == 0 else {
            unsafe X509_free(x509)
            throw .notACertificate(path: nil, reason: unsafe "\(parsed.rest) bytes follow it")
        }
        unsafe pointer = x509
    }

    deinit {
        unsafe X509_free(pointer)
    }

    /// Lends the certificate. The owner outlives the call, which a pointer that is merely read from it would not ensure.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }
}

/// Owns a stack of OpenSSL's certificates, and a reference to each.
@safe
struct X509Stack: ~Copyable {
    private let pointer: OpaquePointer?

    /// Takes over a stack and its references; nil is an empty one.
    init(owning pointer: OpaquePointer?) {
        unsafe self.pointer = pointer
    }

    /// Parses certificates into a new stack. Runs inside `withOpenSSLErrors`.
    init(_ certificates: some Sequence<Certificate>) throws(SecurityError) {
        let stack = unsafe netwatch_x509_stack_new()
        unsafe pointer = stack
        for certificate in certificates {
            try unsafe X509Handle(der: certificate.der).withPointer { x509 throws(SecurityError) in
                guard unsafe netwatch_x509_stack_push(stack, x509) > 0 else {
                    throw .library(call: "sk_X509_push", reason: latestOpenSSLError())
                }
                unsafe X509_up_ref(x509)
            }
        }
    }

    deinit {
        unsafe netwatch_x509_stack_free(pointer)
    }

    /// Lends the stack for the time of a call.
    func withPointer<Result, Failure: Error>(
        _ body: (OpaquePointer?) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        try unsafe body(pointer)
    }

    var count: Int { unsafe max(0, Int(netwatch_x509_stack_count(pointer))) }

    /// The certificate at an index; the stack keeps its reference.
    subscript(index: Int) -> OpaquePointer? {
        unsafe netwatch_x509_stack_value(pointer, CInt(index))
    }
}
