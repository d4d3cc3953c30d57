import NetworkAddress

/// What a handle is set to, apart from the URL and the callbacks' context: a transfer that wants exactly this finds it done.
///
/// Every option of libcurl's that differs from request to request is set from what stands here and from nothing else, so
/// that equal setups are equal handles.
///
/// Mostly the next transfer comes with the very same setup, which is told by its identity.
final class HandleSetup: Sendable {
    let method: RequestMethod
    let headers: HeaderFields
    let options: RequestOptions
    let mapping: AddressMapping?
    let content: Content?
    /// The most bytes of an answer that are read at once.
    let bufferSize: Int

    /// The addresses to use in place of a host's own.
    struct AddressMapping: Equatable {
        let host: String
        let port: Int
        let addresses: [IPAddress]
    }

    /// What is known of the body before it is sent.
    struct Content: Equatable {
        let count: Int64?
        let bytesPerSecond: Int64?
    }

    init(_ request: Request, _ destination: Destination, _ settings: TransferSettings, _ bufferSize: Int, count: Int64?)
    {
        method = request.method
        headers = settings.headers
        var options = settings.options
        if Self.isUsableOnce(destination, options) { options.usesFreshConnection = true }
        if headers.contains(name: "Authorization") { options.credential = nil }
        self.options = options
        mapping = options.addresses.map {
            AddressMapping(host: destination.host, port: destination.port, addresses: $0)
        }
        content = request.body.map { Content(count: count, bytesPerSecond: $0.bytesPerSecond) }
        self.bufferSize = bufferSize
    }

    /// Whether a connection carries one request only: libcurl (7.88) breaks HTTP/2 off without TLS at the second request.
    private static func isUsableOnce(_ destination: Destination, _ options: RequestOptions) -> Bool {
        options.httpVersion == .http2 && !destination.isSecure
    }

    /// Whether the next transfer may find a handle so. Not where libcurl remembers more than it was told: how far a body
    /// or a proof of identity has come, and addresses only for a minute.
    var isReusable: Bool {
        content == nil && options.credential == nil && !options.connectsOnly && mapping?.addresses.count ?? 1 == 1
            && options.proxyPolicy.addresses == nil && options.proxyPolicy.authorities == nil
            && !(options.usesCookies && headers.contains(name: "Cookie"))
    }
}

extension HandleSetup: Equatable {
    static func == (one: HandleSetup, other: HandleSetup) -> Bool {
        one === other
            || one.method == other.method && one.bufferSize == other.bufferSize && one.content == other.content
                && one.mapping == other.mapping && one.options == other.options
                && one.headers.isSpelled(like: other.headers)
    }
}

extension RequestBody {
    /// How fast it may be sent.
    fileprivate var bytesPerSecond: Int64? {
        guard case .multipart(let form) = self else { return nil }
        return form.throttle.map { Int64($0.bytesPerSecond) }
    }
}
