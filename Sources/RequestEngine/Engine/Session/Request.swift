public import FoundationEssentials
public import NetworkAddress

/// What is to be sent, and how: a value that may be kept, changed and sent again.
public struct Request: Sendable {
    /// Where to: `http` or `https`, with a host.
    public var url: URL
    public var method: RequestMethod
    /// Fields in addition to the session's, which they replace where they have the same name.
    public var headers: HeaderFields
    public var body: RequestBody?
    /// What a ``ResponseCache`` on the way may do; nil for the session's choice.
    public var cachePolicy: CachePolicy?
    /// Called before a ``ResponseCache`` keeps the answer: gives what to keep, or nil to keep nothing. It replaces the
    /// cache's own.
    public var willStore: (@Sendable (StoredResponse) -> StoredResponse?)?
    /// What this request goes through on its way, after the session's interceptors.
    public var interceptors: [any Interceptor] = []
    /// What is told of the connections that are made for this request, and for those that its redirects lead to.
    package var connections: (any ConnectionObserver)?

    private var box = RequestOptions.Box.standard

    public init(
        url: URL, method: RequestMethod = .get, headers: HeaderFields = [:], body: RequestBody? = nil
    ) {
        self.url = url
        self.method = method
        self.headers = headers
        self.body = body
    }

    /// The request with the form as its body, and the headers that go with it.
    public func carrying(_ form: MultipartFormData) throws(MultipartError) -> Request {
        var request = self
        request.headers.set(.contentType(form.contentType))
        request.headers.set("Content-Length", to: try form.contentLength.description)
        request.body = .multipart(form)
        return request
    }
}

extension Request {
    /// Replaces the session's time-outs, each where it is not nil.
    public var timeouts: Timeouts {
        get { options.timeouts }
        set { options.timeouts = newValue }
    }
    /// The most bytes of body to read, counted after decompression; nil for the session's limit, which is for bodies in
    /// memory alone: a file or a stream then has none. A longer body is the error
    /// ``RequestError/Reason/bodyTooLarge(limit:)``. Of a download that is resumed, what is there already counts, too.
    public var maximumBodySize: Int? {
        get { options.maximumBodySize }
        set { options.maximumBodySize = newValue }
    }
    /// Whether a body in memory that is longer than ``maximumBodySize`` is broken off there and is no error: the answer then
    /// has its beginning, and ``Response/isBodyCut``.
    package var cutsBody: Bool {
        get { options.cutsBody }
        set { options.cutsBody = newValue }
    }
    /// The link every packet must leave by; nil for the session's choice. A binding the kernel refuses fails the request.
    public var interface: InterfaceBinding? {
        get { options.interface }
        set { options.interface = newValue }
    }
    /// The local address to send from; nil for the session's choice.
    public var sourceAddress: IPAddress? {
        get { options.sourceAddress }
        set { options.sourceAddress = newValue }
    }
    /// The most bytes of TCP payload in one packet, either way (TCP_MAXSEG, tcp(7)); nil for what the link's MTU allows.
    /// A connection that is kept from an earlier request stays as it was opened.
    public var maximumSegmentSize: Int? {
        get { options.maximumSegmentSize }
        set { options.maximumSegmentSize = newValue }
    }
    /// The only family to use; nil for either.
    public var family: AddressFamily? {
        get { options.family }
        set { options.family = newValue }
    }
    /// The addresses of the URL's host, in order of preference, where they are known: no name is looked up.
    public var addresses: [IPAddress]? {
        get { options.addresses }
        set { options.addresses = newValue }
    }
    /// The proxy to go through; nil for the session's choice.
    public var proxy: ProxyPolicy? {
        get { options.proxy }
        set { options.proxy = newValue }
    }
    /// Whether to send and take cookies, where the session keeps any.
    public var usesCookies: Bool {
        get { options.usesCookies }
        set { options.usesCookies = newValue }
    }
    /// Whether to open a connection for this request alone: none is reused, and none is kept afterwards.
    public var usesFreshConnection: Bool {
        get { options.usesFreshConnection }
        set { options.usesFreshConnection = newValue }
    }
    /// Whether the first packet of a new connection brings the beginning of the request along, where the server has allowed it
    /// before (TCP Fast Open, RFC 7413): one round trip less. A network may deliver that packet twice, and then the request
    /// comes twice, so that it is for requests that may be repeated.
    public var usesFastOpen: Bool {
        get { options.usesFastOpen }
        set { options.usesFastOpen = newValue }
    }
    /// Whether to end once the connection stands, with `https` after its handshake: nothing is asked, and the answer has
    /// the status code 0. No protocol is offered in the handshake, so that servers of any protocol can be asked.
    public var connectsOnly: Bool {
        get { options.connectsOnly }
        set { options.connectsOnly = newValue }
    }
    /// What the server's certificate has to be; nil for the session's policy for the host.
    public var securityPolicy: SecurityPolicy? {
        get { options.securityPolicy }
        set { options.securityPolicy = newValue }
    }
    /// Whether to ask for a compressed transfer; nil for the session's choice. A part (`Range`) is never asked for so.
    public var acceptsCompression: Bool? {
        get { options.acceptsCompression }
        set { options.acceptsCompression = newValue }
    }
    /// What proves the client's identity. It is sent at once (``Credential/basic(user:password:)``,
    /// ``Credential/bearer(token:)``) or once the server has asked for it; a field `Authorization` of the headers goes
    /// before.
    public var credential: Credential? {
        get { options.credential }
        set { options.credential = newValue }
    }
    /// The session's fields that this request must do without, in lower case.
    package var withheldHeaders: Set<String> {
        get { options.withheldHeaders }
        set { options.withheldHeaders = newValue }
    }
    /// Its weight among the requests of one HTTP/2 connection, from 0 to 1.
    public var priority: Double {
        get { options.priority }
        set { options.priority = newValue }
    }
    /// The protocol to speak; nil for the session's choice.
    public var httpVersion: HTTPVersionPolicy? {
        get { options.httpVersion }
        set { options.httpVersion = newValue }
    }

    /// What is asked of the session: all of these in one value.
    package var options: RequestOptions {
        get { box.options }
        set { box = RequestOptions.Box(newValue) }
    }

    /// Whether nothing else is asked of the session than by another request.
    func hasOptions(of other: Request) -> Bool {
        box === other.box || box.options == other.box.options
    }
}

extension Request: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The request line and the fields, without what is secret: a URL's password, `Authorization` and the like.
    public var description: String {
        ([requestLine] + shownHeaders.map(\.description)).joined(separator: "\n")
    }

    public var debugDescription: String { description }

    /// What a debugger or `dump` shows, without what is secret.
    public var customMirror: Mirror {
        Mirror(
            self,
            children: [
                "method": method, "url": url.absoluteString.withoutUserInfo, "headers": shownHeaders,
                "body": body.map(\.summary) as Any, "credential": credential?.description as Any,
            ], displayStyle: .struct)
    }

    private var requestLine: String { "\(method) \(url.absoluteString.withoutUserInfo)" }

    /// Its fields without what is secret.
    package var shownHeaders: HeaderFields { headers.redacted(with: secrecy.fields) }
}

extension RequestBody {
    /// What it is, without its content.
    fileprivate var summary: String {
        switch self {
        case .data(let data): "\(data.count) bytes"
        case .file(let path): path
        case .stream(let length, _), .pieces(let length, _): length.map { "a stream of \($0) bytes" } ?? "a stream"
        case .multipart: "a form"
        }
    }
}
