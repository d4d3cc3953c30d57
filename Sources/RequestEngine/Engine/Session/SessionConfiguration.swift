public import NetworkAddress

/// How a session behaves: a value that is read once, when the session is made.
public struct SessionConfiguration: Sendable {
    public static let `default` = SessionConfiguration()

    /// Fields of every request, unless it has its own of the same name.
    public var headers: HeaderFields = [:]
    /// The most connections at once to one host and port; requests beyond wait.
    public var maximumConnectionsPerHost = 6
    /// The most requests that run at once, to whatever hosts; those beyond wait for their turn, in the order they came. Nil
    /// for no limit. A stream runs until its body is read, and the time spent waiting counts for no time-out.
    ///
    /// Where ten thousands may be asked of one host and be cancelled at once, a limit spares the loop seconds: libcurl (7.88)
    /// looks for each one that ends among all that wait for a connection.
    public var maximumConcurrentRequests: Int?
    public var cookies = CookieStorage.none
    /// Addresses of hosts, by name in small letters: they are not looked up.
    public var addresses: [String: [IPAddress]] = [:]
    /// What every request goes through on its way, in this order.
    public var interceptors: [any Interceptor] = []
    /// What a ``ResponseCache`` among them may do for requests that do not say.
    public var cachePolicy = CachePolicy.standard
    /// The observers of all tasks.
    public var monitors: [any EventMonitor] = []
    /// What servers' certificates have to be, by host.
    public var securityPolicies = SecurityPolicies()
    /// What several sessions have read of their policies' anchors; nil for a session that reads them for itself.
    package var trustStores: TrustStores?

    /// What holds for requests that do not say otherwise.
    package private(set) var options = RequestOptions.ofSession

    public init() {}

    /// Whether it says the same of every host.
    var treatsHostsAlike: Bool { addresses.isEmpty && securityPolicies.hosts.isEmpty }
}

extension SessionConfiguration {
    public var timeouts: Timeouts {
        get { options.timeouts }
        set { options.timeouts = newValue }
    }
    /// The most bytes of body that are read into memory for one response, counted after decompression.
    public var maximumBodySize: Int {
        get { options.bodyLimit }
        set { options.maximumBodySize = newValue }
    }
    /// The most bytes of header that are read for one response.
    public var maximumHeaderSize: Int {
        get { options.headerLimit }
        set { options.maximumHeaderSize = newValue }
    }
    public var httpVersion: HTTPVersionPolicy {
        get { options.versionPolicy }
        set { options.httpVersion = newValue }
    }
    public var proxy: ProxyPolicy {
        get { options.proxyPolicy }
        set { options.proxy = newValue }
    }
    /// The path of a socket of this host to connect to in place of any server (unix(7)).
    public var unixSocket: String? {
        get { options.unixSocket }
        set { options.unixSocket = newValue }
    }
    public var interface: InterfaceBinding? {
        get { options.interface }
        set { options.interface = newValue }
    }
    public var sourceAddress: IPAddress? {
        get { options.sourceAddress }
        set { options.sourceAddress = newValue }
    }
    public var family: AddressFamily? {
        get { options.family }
        set { options.family = newValue }
    }
    /// Whether to ask for a compressed transfer, in `gzip`, `deflate`, and where libcurl has them `br` and `zstd`. A body in a
    /// coding that is not known is left as it is.
    public var acceptsCompression: Bool {
        get { options.isCompressible }
        set { options.acceptsCompression = newValue }
    }
}
