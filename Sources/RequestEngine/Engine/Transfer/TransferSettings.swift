import FoundationEssentials
import NetworkAddress

/// What holds for one transfer, whatever its URL: the request's wishes, and the session's where it has none.
///
/// It is shared by all transfers of a plan, which costs each one reference.
final class TransferSettings: Sendable {
    let headers: HeaderFields
    /// The addresses among them are those of the host that can be used, and the policy is nil without TLS.
    let options: RequestOptions
    /// What the fields say of the length of the body.
    let framing: MessageFraming

    init(_ request: Request, _ destination: Destination, _ configuration: SessionConfiguration) throws(RequestError) {
        headers = Self.headers(request, configuration)
        var options = request.options.merged(over: configuration.options)
        options.family = options.family ?? options.sourceAddress?.family
        let addresses = Self.addresses(request, destination, configuration)
        options.addresses = try Self.usable(addresses, of: destination.host, options.family)
        options.securityPolicy = try Self.policy(request, configuration, destination)
        self.options = options
        framing = MessageFraming(headers)
        try Self.validate(request.method, headers)
    }

    /// Whether a name has to be looked up before there is something to connect to.
    func needsLookUp(_ destination: Destination) -> Bool {
        if options.unixSocket != nil { return false }
        guard usesProxy(destination) else { return options.addresses == nil && !destination.isAddress }
        // That of the environment may be named by an address, which only libcurl reads.
        return if case .proxy(let proxy) = options.proxyPolicy { proxy.needsLookUp } else { true }
    }

    /// Whether a proxy may be between: libcurl goes past it to the hosts that are excepted, and through a socket of this host.
    func usesProxy(_ destination: Destination) -> Bool {
        guard options.unixSocket == nil else { return false }
        return switch options.proxyPolicy {
        case .direct: false
        case .environment: EnvironmentProxy.isUsed(for: destination.host, isSecure: destination.isSecure)
        case .proxy(let proxy): !ProxyExceptions(proxy.exceptions).contain(destination.host)
        }
    }

    private static func addresses(
        _ request: Request, _ destination: Destination, _ configuration: SessionConfiguration
    ) -> [IPAddress]? {
        if let addresses = request.addresses { return addresses }
        guard !configuration.addresses.isEmpty else { return nil }
        let host = destination.host.lowercased()
        if let addresses = configuration.addresses[host] { return addresses }
        guard host.contains("xn--") else { return nil }
        return configuration.addresses.first { InternationalName.ascii($0.key)?.lowercased() == host }?.value
    }

    static func headers(_ request: Request, _ configuration: SessionConfiguration) -> HeaderFields {
        guard !configuration.headers.isEmpty else { return request.headers }
        let withheld = request.withheldHeaders
        var headers = configuration.headers
        for name in withheld { headers.remove(name) }
        if request.hasLeftOrigin { headers = HeaderFields(headers.filter { !request.isBound($0.name) }) }
        return headers.merging(request.headers)
    }

    /// A request that pins is never sent where nothing can be pinned.
    private static func policy(
        _ request: Request, _ configuration: SessionConfiguration, _ destination: Destination
    ) throws(RequestError) -> SecurityPolicy? {
        let policies = configuration.securityPolicies
        let port = UInt16(clamping: destination.port)
        var policy = request.securityPolicy ?? policies.policy(host: destination.host, port: port)
        // Who asks is told to an origin that a redirect has led to only where that one is named.
        if request.hasLeftOrigin, request.securityPolicy == nil, !policies.names(host: destination.host, port: port) {
            policy?.clientIdentity = nil
        }
        guard !destination.isSecure else {
            guard let policy else { throw RequestError(.noSecurityPolicy(host: destination.host)) }
            return policy
        }
        guard (policy?.pinningMode ?? SecurityPolicy.PinningMode.none) == .none else {
            throw RequestError(.pinningWithoutTLS(url: request.url.absoluteString))
        }
        return nil
    }

    private static func usable(
        _ addresses: [IPAddress]?, of host: String, _ family: AddressFamily?
    ) throws(RequestError) -> [IPAddress]? {
        guard let addresses else { return nil }
        guard let family else {
            guard !addresses.isEmpty else { throw RequestError(.resolve(host: host)) }
            return addresses
        }
        let usable = addresses.filter { $0.family == family }
        guard !usable.isEmpty else { throw RequestError(.noAddress(of: family)) }
        return usable
    }

    private static func validate(_ method: RequestMethod, _ headers: HeaderFields) throws(RequestError) {
        do throws(HTTPMessageError) {
            try method.validate()
            try headers.validate()
        } catch {
            throw RequestError(.invalidMessage(error))
        }
    }
}
