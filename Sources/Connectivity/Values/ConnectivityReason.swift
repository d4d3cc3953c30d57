/// Why a probe failed, or why connectivity is less than full. The list is closed: events, metrics and messages use these
/// words and no others.
public enum ConnectivityReason: String, Hashable, Sendable, Codable, CaseIterable {
    // MARK: The way
    /// There is no path; the path tells why.
    case noPath = "no-path"
    /// The interface the probe is bound to has no route to the target.
    case noRoute = "no-route"
    /// The interface the probe is bound to is not there, or is not usable.
    case interfaceUnusable = "interface-unusable"
    /// The kernel refused to bind the probe to its interface.
    case bindingRefused = "binding-refused"
    /// Strict reverse-path filtering drops what comes back over this interface.
    case reversePathFilter = "rp-filter"
    /// The next router does not answer (ARP, neighbour discovery).
    case gatewayUnreachable = "gateway-unreachable"
    /// One family works and the other does not.
    case ipv4Failed = "ipv4-failed"
    case ipv6Failed = "ipv6-failed"
    /// One leg of a multipath route does not work.
    case legFailed = "leg-failed"

    // MARK: Names
    /// No name server answers, or it answers with an error.
    case nameServerFailed = "dns-failed"
    /// The name does not exist.
    case nameNotFound = "name-not-found"
    /// A name server answers with an address that cannot be the target's.
    case nameHijacked = "dns-hijack"

    // MARK: Transport
    case connectionRefused = "connection-refused"
    /// Nothing came back before the time was over.
    case connectTimeout = "connect-timeout"
    /// The network answered that the target cannot be reached.
    case unreachable
    /// The connection was closed before the answer was whole.
    case connectionLost = "connection-lost"

    // MARK: TLS
    case certificateExpired = "certificate-expired"
    case certificateNotYetValid = "certificate-not-yet-valid"
    case certificateName = "certificate-name"
    case certificateIssuer = "certificate-issuer"
    /// The handshake failed for another reason.
    case tlsFailed = "tls-failed"

    // MARK: Answers
    /// Connected, and no answer before the time was over.
    case timeout
    case unexpectedStatus = "unexpected-status"
    case unexpectedHeader = "unexpected-header"
    case unexpectedBody = "unexpected-body"
    /// This host has not looked whether the body is the expected one: it is longer than what is read of it, or it takes more
    /// memory or time than there is to hold it against the expression.
    case bodyUnexamined = "body-unexamined"
    /// An answer that something on the way has emptied or rewritten.
    case mangled
    /// A portal answers in the target's place.
    case portal

    // MARK: Together
    /// Plain HTTP works and HTTPS does not.
    case secureFailed = "https-failed"
    /// Some targets fail while the uplink is well.
    case targetsFailed = "targets-failed"
    /// No check endpoint answers, while the host's own connections go on: connectivity stays what it was.
    case endpointsUnreachable = "endpoints-unreachable"
    /// Part of the packets are lost on the way.
    case lossy
    /// Answers take much longer than they used to.
    case slow
    /// The clock of this host is wrong, so that no certificate is valid.
    case clock
    /// The only target does not answer, and no other host may be asked whether it is the target or the way.
    case nobodyElse = "nobody-else"
    /// This host could not probe: no descriptor, no memory, too much to do.
    case overloaded
    /// This host does not let this program ask: an ICMP echo without leave (`net.ipv4.ping_group_range`), or a connection that
    /// its own filter rejects.
    case notPermitted = "not-permitted"
    /// The proxy refused, or could not be reached.
    case proxyRefused = "proxy-refused"
    /// No caller asked for probes.
    case probesDisabled = "probes-disabled"
}
