public import NetworkAddress

/// What was measured on one request, also on one that failed.
public struct RequestMetrics: Sendable {
    /// The time spent in each phase that was entered. A phase that failed counts until the failure; a reused connection
    /// has no `resolve`, `connect` and `tls`, plain HTTP no `tls`, a known address no `resolve`.
    public var phases: [Phase: Duration] = [:]
    /// The phase in which the request failed, or nil where it did not.
    public var failedPhase: Phase?
    /// From the start to the end, waiting for a free connection included.
    public var duration: Duration = .zero
    /// Bytes of header and body sent, without those of TLS.
    public var bytesSent = 0
    /// Bytes of header and body received, as they came: before decompression and without those of TLS.
    public var bytesReceived = 0
    /// The address that was connected to, or that was tried last.
    public var remoteAddress: IPAddress?
    public var remotePort: Int?
    public var localAddress: IPAddress?
    public var localPort: Int?
    public var httpVersion: ProtocolVersion?
    /// `TLSv1.2` or `TLSv1.3`; nil without TLS.
    public var tlsVersion: String?
    /// The cipher suite by OpenSSL's name.
    public var tlsCipher: String?
    /// The chain the server presented, its own certificate first; also where it was refused.
    public var certificates: [Certificate] = []
    /// Whether the server asked for a certificate of the client's in the handshake, and there was none to show.
    public var wantsClientCertificate = false
    public var isConnectionReused = false

    public init() {}
}
