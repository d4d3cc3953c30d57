/// What is asked of a server's certificate before anything is sent to it: AFNetworking's security policy, and what TLS
/// needs beside it.
///
/// The default verifies everything against the host's trust store. A policy is a value; equal policies may share
/// connections, and different ones never do.
public struct SecurityPolicy: Hashable, Sendable {
    public var pinningMode: PinningMode
    /// The certificates that ``PinningMode/certificate`` asks for; in ``PinningMode/publicKey`` their keys are pinned.
    public var pinnedCertificates: [Certificate]
    /// The keys pinned beside those of ``pinnedCertificates``.
    public var pinnedPublicKeys: Set<PublicKeyPin>
    /// Whether a chain passes that is expired, self-signed or otherwise not valid. It does not loosen the pins.
    public var allowsInvalidCertificates: Bool
    /// Whether the certificate must be for the host asked for.
    public var validatesDomainName: Bool
    /// The authorities that chains may end in.
    public var anchors: TrustAnchors
    /// The lists of revoked certificates to check against; nil checks none.
    public var revocation: RevocationLists?
    /// What is asked of the server's own word that its certificate is not revoked. It says nothing where invalid
    /// certificates are allowed.
    public var stapling = OCSPStapling.ignored
    /// The oldest version of TLS to speak.
    public var minimumTLSVersion: TLSVersion
    /// What to present to a server that asks for a client certificate.
    public var clientIdentity: ClientIdentity?

    /// What must be pinned.
    public enum PinningMode: String, Hashable, Sendable, Codable, CaseIterable {
        /// Nothing: the trust store decides.
        case none
        /// The pinned certificates are the only anchors, and one of them must stand in the verified chain.
        case certificate
        /// The key of any certificate of the chain must be one of the pinned ones.
        case publicKey
    }

    public init(
        pinningMode: PinningMode = .none, pinnedCertificates: [Certificate] = [],
        pinnedPublicKeys: Set<PublicKeyPin> = [], allowsInvalidCertificates: Bool = false,
        validatesDomainName: Bool = true, anchors: TrustAnchors = .system, revocation: RevocationLists? = nil,
        minimumTLSVersion: TLSVersion = .tls12, clientIdentity: ClientIdentity? = nil
    ) {
        self.pinningMode = pinningMode
        self.pinnedCertificates = pinnedCertificates
        self.pinnedPublicKeys = pinnedPublicKeys
        self.allowsInvalidCertificates = allowsInvalidCertificates
        self.validatesDomainName = validatesDomainName
        self.anchors = anchors
        self.revocation = revocation
        self.minimumTLSVersion = minimumTLSVersion
        self.clientIdentity = clientIdentity
    }

    /// Verifies everything against the host's trust store and pins nothing.
    public static let `default` = SecurityPolicy()

    /// All keys that ``PinningMode/publicKey`` accepts.
    var pins: Set<PublicKeyPin> { pinnedPublicKeys.union(pinnedCertificates.map { PublicKeyPin($0) }) }

    /// Whether there is nothing to compare with in this policy's mode.
    var hasNoPins: Bool {
        pinnedCertificates.isEmpty && (pinningMode == .certificate || pinnedPublicKeys.isEmpty)
    }
}
