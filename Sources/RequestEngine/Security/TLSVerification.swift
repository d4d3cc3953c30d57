internal import COpenSSL
internal import Synchronization

/// Puts a policy into the TLS handshake of one connection, and remembers what was found.
///
/// The chain is evaluated before the handshake ends, so that a server that is not trusted does not see a byte of the
/// request. libcurl must be told to verify nothing itself (`CURLOPT_SSL_VERIFYPEER` and `…HOST` 0): it would read the
/// system's bundle for each connection and fall back on common names. Its cache of TLS sessions must be off
/// (`CURLOPT_SSL_SESSIONID_CACHE` 0), because a resumed session presents no certificate to evaluate.
final class TLSVerification: Sendable {
    let evaluator: TrustEvaluator
    /// The host of the URL, not that of a proxy.
    let host: String
    private let found = Mutex<Result<TrustResult, TrustError>?>(nil)
    private let isEnded = Atomic<Bool>(false)
    private let isAsked = Atomic<Bool>(false)

    init(evaluator: TrustEvaluator, host: String) {
        self.evaluator = evaluator
        self.host = host
    }

    /// What was found; nil before the server has sent its certificates. The facts of the chain are in both cases.
    var outcome: Result<TrustResult, TrustError>? { found.withLock { $0 } }

    /// Whether the server has said that it sends nothing more (close_notify). Where it has not, whatever cut the connection
    /// decided where it ends.
    var hasPeerEnded: Bool { isEnded.load(ordering: .relaxed) }

    /// Whether the server has asked for a certificate of ours, and there is none.
    var hasServerAsked: Bool { isAsked.load(ordering: .relaxed) }

    /// Makes an `SSL_CTX` (what libcurl's CURLOPT_SSL_CTX_FUNCTION is given) follow the policy.
    ///
    /// The context keeps this object until it is freed itself, so that the callback never finds it gone.
    func install(into context: UnsafeMutableRawPointer) throws(SecurityError) {
        let context = OpaquePointer(context)
        let reference = unsafe Unmanaged.passRetained(self)
        guard unsafe SSL_CTX_set_ex_data(context, Self.index, reference.toOpaque()) == 1 else {
            unsafe reference.release()
            throw .library(call: "SSL_CTX_set_ex_data", reason: latestOpenSSLError())
        }
        unsafe SSL_CTX_set_verify(context, SSL_VERIFY_PEER, nil)
        unsafe netwatch_ssl_ctx_watch_alerts(context) { session, type, value in
            guard let session = unsafe session, netwatch_ssl_is_close_notify(type, value) == 1 else { return }
            unsafe TLSVerification.of(ssl: session)?.isEnded.store(true, ordering: .relaxed)
        }
        // Called only where no certificate of ours has been set (SSL_CTX_set_client_cert_cb(3)).
        unsafe SSL_CTX_set_client_cert_cb(context) { session, _, _ in
            if let session = unsafe session {
                unsafe TLSVerification.of(ssl: session)?.isAsked.store(true, ordering: .relaxed)
            }
            return 0
        }
        unsafe SSL_CTX_set_cert_verify_callback(context, verifyHandshake, reference.toOpaque())
        if evaluator.policy.stapling != .ignored {
            unsafe netwatch_ssl_ctx_ask_for_status(context, verifyStatus, reference.toOpaque())
        }
        try unsafe setMinimumVersion(context)
        try unsafe evaluator.policy.clientIdentity?.install(into: context)
    }

    private func setMinimumVersion(_ context: OpaquePointer) throws(SecurityError) {
        guard unsafe netwatch_ssl_ctx_set_min_version(context, evaluator.policy.minimumTLSVersion.number) == 1 else {
            throw .library(call: "SSL_CTX_set_min_proto_version", reason: latestOpenSSLError())
        }
    }

    /// The verification that guards a connection (`CURLINFO_TLS_SSL_PTR` gives its `SSL`), also when the connection was
    /// made for an earlier request.
    static func of(ssl: OpaquePointer) -> TLSVerification? {
        guard let context = unsafe SSL_get_SSL_CTX(ssl), let pointer = unsafe SSL_CTX_get_ex_data(context, index) else {
            return nil
        }
        return unsafe Unmanaged<TLSVerification>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// OpenSSL's number for what we attach to its contexts.
    private static let index = unsafe netwatch_ssl_ctx_new_index { _, pointer, _, _, _, _ in
        guard let pointer = unsafe pointer else { return }
        unsafe Unmanaged<TLSVerification>.fromOpaque(pointer).release()
    }

    /// Evaluates what the handshake has received; tells OpenSSL the reason of a refusal, for the alert.
    fileprivate func verify(_ handshake: OpaquePointer) -> Bool {
        let outcome = unsafe evaluate(handshake)
        found.withLock { $0 = outcome }
        switch outcome {
        case .success:
            unsafe X509_STORE_CTX_set_error(handshake, X509_V_OK)
            return true
        case .failure(let error):
            unsafe X509_STORE_CTX_set_error(handshake, error.reason.verificationCode)
            return false
        }
    }

    /// Evaluates the stapled response of a connection whose chain has passed, be there one or not.
    fileprivate func checkStatus(_ connection: OpaquePointer) -> Bool {
        guard case .success(let result) = outcome else { return false }
        var bytes: UnsafePointer<UInt8>?
        let count = unsafe netwatch_ssl_status_response(connection, &bytes)
        let response = unsafe count > 0 ? Array(UnsafeBufferPointer(start: bytes, count: count)) : nil
        do {
            try withOpenSSLErrors { () throws(TrustError) in
                try evaluator.checkStapling(response, of: result, host: host, at: nil)
            }
            return true
        } catch {
            found.withLock { $0 = .failure(error) }
            return false
        }
    }

    private func evaluate(_ handshake: OpaquePointer) -> Result<TrustResult, TrustError> {
        withOpenSSLErrors {
            do throws(SecurityError) {
                let chain = try unsafe PresentedChain(handshake: handshake, known: evaluator.known)
                return Result { () throws(TrustError) in try evaluator.evaluate(chain, host: host, at: nil) }
            } catch {
                return .failure(TrustError(reason: .malformed("\(error)"), chain: [], host: host))
            }
        }
    }
}

/// OpenSSL's trampoline (SSL_CTX_set_cert_verify_callback(3)).
private func verifyHandshake(_ handshake: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
    guard let handshake = unsafe handshake, let argument = unsafe argument else { return 0 }
    return unsafe Unmanaged<TLSVerification>.fromOpaque(argument).takeUnretainedValue().verify(handshake) ? 1 : 0
}

/// OpenSSL's trampoline (SSL_CTX_set_tlsext_status_cb(3)). It is called before our side's last message of the handshake.
private func verifyStatus(_ connection: OpaquePointer?, _ argument: UnsafeMutableRawPointer?) -> CInt {
    guard let connection = unsafe connection, let argument = unsafe argument else { return 0 }
    return unsafe Unmanaged<TLSVerification>.fromOpaque(argument).takeUnretainedValue().checkStatus(connection) ? 1 : 0
}
