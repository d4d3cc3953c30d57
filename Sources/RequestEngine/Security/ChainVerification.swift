internal import COpenSSL
internal import SystemPackage

/// One run of OpenSSL's path building and validation (RFC 5280, section 6) over a presented chain.
struct ChainVerification {
    let store: TrustStore
    /// The host the certificate must be for; nil asks for none.
    let host: String?
    /// Whether the chain must be one of a TLS server. Otherwise any purpose will do.
    let isForServer: Bool
    /// Seconds since 1970-01-01 UTC; nil is now.
    let time: Int64?
    var revocation: RevocationStore?
    /// Whether any certificate of the store ends a chain, not only one that is signed by itself.
    var acceptsPartialChain = false

    /// The chain that leads from the leaf to an anchor, or the first reason why there is none.
    ///
    /// Runs inside `withOpenSSLErrors`.
    func run(_ chain: borrowing PresentedChain) -> Result<[Certificate], Failure> {
        // The context looks into the stack until it is freed.
        unsafe chain.stack.withPointer { presented in unsafe run(chain, presented) }
    }

    private func run(
        _ chain: borrowing PresentedChain, _ presented: OpaquePointer?
    ) -> Result<[Certificate], Failure> {
        guard let context = unsafe X509_STORE_CTX_new() else { return .failure(Failure(code: X509_V_ERR_OUT_OF_MEM)) }
        defer { unsafe X509_STORE_CTX_free(context) }
        let isReady = unsafe X509_STORE_CTX_init(context, store.pointer, chain.leaf, presented) == 1
        guard isReady, unsafe configure(X509_STORE_CTX_get0_param(context)) else {
            return .failure(Failure(code: X509_V_ERR_UNSPECIFIED))
        }
        if let revocation { unsafe X509_STORE_CTX_set0_crls(context, revocation.pointer) }
        // An authority's file that cannot be opened is to X509_verify_cert one that is not there: only the queue tells.
        ERR_clear_error()
        guard unsafe X509_verify_cert(context) == 1 else {
            let shortage = takeOpenSSLShortage()
            return unsafe .failure(Failure(context: context, shortage: shortage))
        }
        return unsafe .success(chain.certificates(of: X509_STORE_CTX_get0_chain(context)))
    }

    private func configure(_ parameters: OpaquePointer?) -> Bool {
        if isForServer { unsafe X509_VERIFY_PARAM_set_purpose(parameters, X509_PURPOSE_SSL_SERVER) }
        // The level of TLS on Debian: 112 bits, so no RSA below 2048 bits and no signature with SHA-1.
        unsafe X509_VERIFY_PARAM_set_auth_level(parameters, 2)
        unsafe X509_VERIFY_PARAM_set_flags(parameters, flags)
        if let time { unsafe X509_VERIFY_PARAM_set_time(parameters, time_t(time)) }
        guard let host else { return true }
        unsafe X509_VERIFY_PARAM_set_hostflags(parameters, HostName.checkFlags)
        return unsafe HostName(host).require(by: parameters)
    }

    private var flags: UInt {
        var flags: UInt = 0
        if acceptsPartialChain { flags |= UInt(X509_V_FLAG_PARTIAL_CHAIN) }
        if let revocation {
            flags |= UInt(X509_V_FLAG_CRL_CHECK)
            if revocation.scope == .chain { flags |= UInt(X509_V_FLAG_CRL_CHECK_ALL) }
        }
        return flags
    }

    /// OpenSSL's verdict: a number, and the certificate it is about.
    struct Failure: Error {
        /// `X509_V_ERR_…`.
        let code: CInt
        var certificate: Certificate?
        /// Why the authority was not found, where it may be among those that this host trusts.
        private(set) var shortage: Errno?

        init(code: CInt) {
            self.code = code
        }

        init(context: OpaquePointer, shortage: Errno?) {
            let code = unsafe X509_STORE_CTX_get_error(context)
            self.shortage = Self.codesOfNoAuthority.contains(code) ? shortage : nil
            self.code = code == X509_V_OK ? X509_V_ERR_UNSPECIFIED : code
            certificate = unsafe X509_STORE_CTX_get_current_cert(context).flatMap { try? unsafe Certificate(x509: $0) }
        }

        /// The verdicts that come of an authority that is not found.
        private static let codesOfNoAuthority: Set<CInt> = [
            X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT, X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY,
            X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE, X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT,
            X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN,
        ]
    }
}
