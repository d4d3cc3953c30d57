import CCurl
import COpenSSL

extension Transfer {
    /// Puts the policy into the handshake that is about to begin; false where that cannot be done.
    func prepareHandshake(_ tlsContext: UnsafeMutableRawPointer) -> Bool {
        clock.handshakeStarted()
        handshakes += 1
        // The first is with the proxy, which libcurl verifies itself.
        guard !isProxySecure || handshakes > 1 else { return true }
        do throws(SecurityError) {
            guard let verification else { throw .library(call: "SSL_CTX", reason: "no policy for this connection") }
            try unsafe verification.install(into: tlsContext)
            return true
        } catch {
            refusal = .security(error)
            return false
        }
    }

    private var isProxySecure: Bool {
        switch settings.options.proxyPolicy {
        case .direct: false
        case .proxy(let proxy): proxy.kind == .https
        // A secure proxy of the environment is not known as one, and so is refused as a server.
        case .environment: false
        }
    }

    /// Whether the policy has accepted the server of the connection at hand. Asked before every request, so that none
    /// goes out should a connection ever come about in another way than expected.
    var isVerified: Bool {
        guard let session = unsafe OpaquePointer(netwatch_easy_getinfo_tls(easy.handle)),
            let verification = unsafe TLSVerification.of(ssl: session),
            case .success = verification.outcome
        else { return false }
        return verification.evaluator.policy == settings.options.securityPolicy
    }

    /// Notes what the handshake came to, while the connection is at hand: it may be one made for an earlier request.
    func collectTLSFacts() {
        guard let session = unsafe OpaquePointer(netwatch_easy_getinfo_tls(easy.handle)) else { return }
        metrics.tlsVersion = unsafe String(cString: SSL_get_version(session))
        metrics.tlsCipher = unsafe SSL_get_current_cipher(session).map {
            unsafe String(cString: SSL_CIPHER_get_name($0))
        }
        connectionVerification = unsafe TLSVerification.of(ssl: session)
        metrics.certificates = connectionVerification?.presentedChain ?? []
    }

    /// Whether the body ended with a connection over TLS that was cut, so that it cannot be known whether it is whole
    /// (RFC 9112 section 9.8). libcurl takes that for an end as any other.
    var isCutByConnection: Bool {
        guard let connectionVerification, headReader.head.endsWithConnection(request.method) else { return false }
        return !connectionVerification.hasPeerEnded
    }
}

extension TLSVerification {
    /// The chain that the server sent, accepted or not.
    var presentedChain: [Certificate] {
        switch outcome {
        case .success(let result): result.presentedChain
        case .failure(let error): error.chain
        case nil: []
        }
    }

    /// Why the server is not trusted; nil where it is, or has not shown a certificate.
    var failure: TrustError? {
        if case .failure(let error) = outcome { error } else { nil }
    }
}
