package import NetworkAddress

/// What is asked of the way that a request takes, apart from the message: see ``Request`` and ``SessionConfiguration`` for the
/// meaning of each. A request has them and its session has them; the request's go before (``merged(over:)``).
///
/// A request is copied several times on its way, and hardly any of this is ever set, so that it stands behind one
/// reference. Whatever of it is added is compared, too, where a request is taken for one like the last, a handle for one that
/// is set up already, and one answer for that of several requests.
package struct RequestOptions: Hashable, Sendable {
    // Of a request, or of its session for all requests that do not say. Nil and a time-out that is nil say nothing.
    package var timeouts = Timeouts()
    package var maximumBodySize: Int?
    var maximumHeaderSize: Int?
    package var interface: InterfaceBinding?
    var sourceAddress: IPAddress?
    package var family: AddressFamily?
    var proxy: ProxyPolicy?
    var unixSocket: String?
    package var httpVersion: HTTPVersionPolicy?
    var acceptsCompression: Bool?

    // Of a request.
    package var cutsBody = false
    var maximumSegmentSize: Int?
    var addresses: [IPAddress]?
    var usesCookies = true
    package var usesFreshConnection = false
    var usesFastOpen = false
    package var connectsOnly = false
    var credential: Credential?
    var withheldHeaders: Set<String> = []
    var priority = 0.5
    var secrecy = Secrecy()
    var securityPolicy: SecurityPolicy?

    /// Options that are never changed: to change is to make another box.
    final class Box: Sendable {
        let options: RequestOptions
        static let standard = Box(RequestOptions())

        init(_ options: RequestOptions) {
            self.options = options
        }
    }
}

extension RequestOptions {
    /// These options, with the session's where they say nothing.
    package func merged(over session: RequestOptions) -> RequestOptions {
        var merged = self
        merged.timeouts = timeouts.falling(backTo: session.timeouts)
        merged.maximumBodySize = maximumBodySize ?? session.maximumBodySize
        merged.maximumHeaderSize = maximumHeaderSize ?? session.maximumHeaderSize
        merged.interface = interface ?? session.interface
        merged.sourceAddress = sourceAddress ?? session.sourceAddress
        merged.family = family ?? session.family
        merged.proxy = proxy ?? session.proxy
        merged.unixSocket = unixSocket ?? session.unixSocket
        merged.httpVersion = httpVersion ?? session.httpVersion
        merged.acceptsCompression = acceptsCompression ?? session.acceptsCompression
        return merged
    }

    /// What a session says that was told nothing.
    static let ofSession: RequestOptions = {
        var options = RequestOptions()
        options.timeouts = Timeouts(connect: .seconds(30), idle: .seconds(60))
        options.maximumBodySize = options.bodyLimit
        options.maximumHeaderSize = options.headerLimit
        options.proxy = options.proxyPolicy
        options.httpVersion = options.versionPolicy
        options.acceptsCompression = options.isCompressible
        return options
    }()
}

// What holds of options that have a value always, where nothing says otherwise.
extension RequestOptions {
    var bodyLimit: Int { maximumBodySize ?? 64 << 20 }
    var headerLimit: Int { maximumHeaderSize ?? 256 << 10 }
    var proxyPolicy: ProxyPolicy { proxy ?? .direct }
    var versionPolicy: HTTPVersionPolicy { httpVersion ?? .automatic }
    var isCompressible: Bool { acceptsCompression ?? true }

    /// Whether a request with these fields asks for a compressed transfer. Not one for a part, which would be one of what is
    /// packed.
    func asksForCompression(_ headers: HeaderFields) -> Bool {
        isCompressible && !headers.contains(name: "Accept-Encoding") && !headers.contains(name: "Range")
    }
}
