public import NetworkAddress

/// Something a probe asks, and the answer that counts as a success.
public struct Target: Hashable, Sendable, Codable {
    /// What events and metrics call it; unique in one configuration. The URL, unless it was given a name.
    public var name: String
    /// An absolute URL: `http` or `https`; `tcp://HOST:PORT` for a connection; `dns://SERVER/NAME?type=AAAA` for a name
    /// server; `icmp://HOST` for an echo.
    public var url: String
    public var role: Role = .target
    public var expectation: Expectation = .ordinary
    /// The request's method. HEAD is refused by some servers, so it is GET by default.
    public var method = "GET"
    /// Header fields sent beside the probe's own.
    public var headers: [String: String] = [:]
    /// How long one probe may take in all; nil for the configuration's time-out.
    public var timeout: Duration? = nil
    /// The interface its probes are bound to (SO_BINDTODEVICE); nil to leave by the route.
    public var interface: String? = nil
    /// The only family its probes may use; nil for both.
    public var family: AddressFamily? = nil
    /// Whether its addresses are public ones, so that a private address for its name is a hijack.
    public var isPublic = false
    /// How much it counts under the policy ``ConnectivityPolicy/weight(_:)``.
    public var weight = 1
    /// What the caller wants to find again in results and metrics.
    public var labels: [String: String] = [:]

    /// What a target says something about.
    public enum Role: String, Hashable, Sendable, Codable, CaseIterable {
        /// The uplink: a connectivity-check endpoint. One that fails alone says nothing, several together do.
        case reference
        /// Itself: something the caller needs. It is only called down where the uplink is well.
        case target
    }

    /// A target by its URL.
    ///
    /// - Throws: ``TargetError`` where the text is not such a URL with a host.
    public init(
        _ url: String, name: String? = nil, role: Role = .target, expectation: Expectation = .ordinary
    ) throws(TargetError) {
        let parts = try URLParts(url)
        self.init(checked: url, name: name ?? url, role: role, expectation: expectation)
        if parts.isAddressLiteral { family = parts.address?.family }
    }

    init(checked url: String, name: String, role: Role, expectation: Expectation) {
        self.name = name
        self.url = url
        self.role = role
        self.expectation = expectation
    }

    /// Whether the answer comes over TLS, where nobody can put a page of his own in its place.
    var isSecure: Bool { url.lowercasedASCII().hasPrefix("https:") }
}
