import CCurl
import COpenSSL
import EventLoop
import Glibc
import NetworkAddress
import SystemPackage

/// The connection of a transfer: its socket is made, bound and checked here, so that libcurl never falls back to another way
/// out, and no request leaves before the security policy was asked.
extension Transfer {
    func openSocket(_ request: UnsafePointer<curl_sockaddr>) -> CInt {
        guard repetition.allows(self.request.method, isSent: isSent) else {
            refusal = .connectionLost(received: 0, nil)
            return CURL_SOCKET_BAD
        }
        let wanted = unsafe request.pointee
        clock.socketOpened()
        handshakes = 0
        unsafe note(request)
        let descriptor = socket(wanted.family, wanted.socktype | Self.flags, wanted.protocol)
        guard descriptor >= 0 else {
            socketRefusal = .connect(host: destination.host, port: destination.port, Errno(rawValue: errno))
            return CURL_SOCKET_BAD
        }
        do throws(SocketBinding.Refusal) {
            if let interface = settings.options.interface { try SocketBinding.bind(descriptor, to: interface) }
            if let address = settings.options.sourceAddress { try SocketBinding.bind(descriptor, to: address) }
            if let size = self.request.maximumSegmentSize { SocketBinding.limitSegments(descriptor, to: size) }
            return descriptor
        } catch {
            socketRefusal = error.reason
            close(descriptor)
            return CURL_SOCKET_BAD
        }
    }

    private static let flags = CInt(SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)

    /// Keeps the address that is tried now, for a request that gets no further. libcurl's field is only the head of it, and as
    /// long as libcurl says.
    private func note(_ request: UnsafePointer<curl_sockaddr>) {
        guard let offset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else { return }
        let bytes = unsafe UnsafeRawBufferPointer(
            start: UnsafeRawPointer(request) + offset, count: Int(request.pointee.addrlen))
        let socketAddress = unsafe bytes.assumingMemoryBound(to: UInt8.self).span
        metrics.remoteAddress = IPAddress(socketAddress: socketAddress)
        metrics.remotePort = destination.port
        // Of either family's address the port is the second field.
        attempted = metrics.remoteAddress.map { ($0, UInt16(bigEndian: socketAddress.load(UInt16.self, at: 2))) }
    }

    // MARK: Stages

    /// Keeps the ends of the connection.
    func note(remote: IPAddress?, _ remotePort: CInt, local: IPAddress?, _ localPort: CInt) {
        metrics.remoteAddress = remote
        metrics.remotePort = Int(remotePort)
        metrics.localAddress = local
        metrics.localPort = Int(localPort)
    }

    /// The last step before the request is sent; false where it must not be.
    func connectionReady() -> Bool {
        // It may be another one that was kept, for which no socket is opened.
        guard repetition.allows(request.method, isSent: isSent) else {
            refusal = .connectionLost(received: 0, nil)
            return false
        }
        clock.connectionReady()
        lastActivity = .now
        guard destination.isSecure else { return true }
        collectTLSFacts()
        guard isVerified else {
            refusal = .tls(host: destination.host, "the security policy was not asked about this connection")
            return false
        }
        return true
    }

    // MARK: TLS

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
        // libcurl goes past the proxy to the hosts that are excepted, and through a socket of this host.
        case .proxy(let proxy):
            proxy.kind == .https && settings.options.unixSocket == nil
                && !ProxyExceptions(proxy.exceptions).contain(destination.host)
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
