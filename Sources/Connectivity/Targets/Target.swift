public import NetworkAddress
public import Reachability

public import enum RequestEngine.ProtocolVersion

/// Something a probe asks, and the answer that counts as a success.
public struct Target: Hashable, Sendable, Codable {
    /// What events and metrics call it; unique in one configuration. The URL without user and password, unless it was given a
    /// name.
    public var name: String
    /// An absolute URL: `http` or `https`; `tcp://HOST:PORT` for a connection; `tls://HOST:PORT` for one with a handshake
    /// after it; `dns://SERVER/NAME?type=AAAA` for a name server; `icmp://HOST` for an echo.
    public var url: String
    /// What it says something about.
    public var role: Role = .target
    /// The answer that counts as its own.
    public var expectation: Expectation = .ordinary
    /// The request's method. HEAD is refused by some servers, so it is GET by default.
    public var method = "GET"
    /// Header fields sent beside the probe's own.
    public var headers: [String: String] = [:]
    /// The request's content; nil for none.
    public var requestBody: String? = nil
    /// The version of HTTP to speak, 1.1 or 2, which the answer has to have too; nil for what is negotiated.
    public var httpVersion: ProtocolVersion? = nil
    /// How many redirects are followed, after which the last answer is judged; nil to judge a redirect itself, without
    /// which a portal is not seen.
    public var redirects: Int? = nil
    /// The proxy to go through, as a URL: `http`, `https`, `socks5` or `socks5h`, with a port; nil for none, whatever the
    /// environment says.
    public var proxy: String? = nil {
        didSet {
            // The connection is made to the proxy: the family of an address in the URL is the proxy's affair then.
            guard proxy != nil, oldValue == nil, let own = (try? URLParts(url))?.address?.family, family == own else {
                return
            }
            family = nil
        }
    }
    /// The most bytes of body that are read; a longer one fails, as this host's own doing. Nil for 1 MiB where the body is held
    /// against an expression or a JSON pointer, for which no more is ever read, and else for 64 KiB, after which the rest is
    /// left unread.
    public var maximumBodySize: Int? = nil
    /// How long one probe may take in all; nil for the configuration's time-out.
    public var timeout: Duration? = nil
    /// From one of its probes to the next while all is well; nil for the configuration's interval.
    public var interval: Duration? = nil
    /// The part of each of its waits that is left to chance, from 0 to 1; nil for the configuration's jitter.
    public var jitter: Double? = nil
    /// How many failures in a row, sent at least a second apart, are looked at again before the target counts as failed:
    /// 2 has it fall with the third. Nil to fall by the configuration's number.
    public var retries: Int? = nil
    /// The interface its probes are bound to (SO_BINDTODEVICE); nil to leave by the route.
    public var interface: String? = nil
    /// The medium of the interface its probes are bound to, whatever its name: the one in use where that is of this
    /// medium, else the first that could carry traffic. Nil for any; not together with ``interface``.
    public var medium: Medium? = nil
    /// The only family its probes may use; nil for both.
    public var family: AddressFamily? = nil
    /// Whether every address of its name is probed, at most 16 at once, in place of the one that answers first. It is up
    /// while one of them is well, and its reason and evidence tell of the others.
    public var eachAddress: Bool {
        get { asksEachAddress ?? false }
        set { asksEachAddress = newValue ? true : nil }
    }
    /// Nil for no: recordings from before there was such a question can be read.
    private var asksEachAddress: Bool? = nil
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
        self.init(checked: url, name: name ?? URLParts.withoutUser(url), role: role, expectation: expectation)
        if parts.isAddressLiteral { family = parts.address?.family }
    }

    package init(checked url: String, name: String, role: Role, expectation: Expectation) {
        self.name = name
        self.url = url
        self.role = role
        self.expectation = expectation
    }

    /// Whether the answer comes over TLS, where no portal can put a page of its own in its place.
    package var isSecure: Bool { ["https:", "tls:"].contains { url.lowercasedASCII().hasPrefix($0) } }
}
