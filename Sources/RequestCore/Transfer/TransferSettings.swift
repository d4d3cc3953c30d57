import FoundationEssentials
import NetworkAddress

/// What holds for one transfer: the request's wishes, and the session's where it has none.
struct TransferSettings {
    let host: String
    let port: Int
    let isSecure: Bool
    let timeouts: Timeouts
    let maximumBodySize: Int
    let maximumHeaderSize: Int
    let headers: HTTPHeaders
    let interface: InterfaceBinding?
    let sourceAddress: IPAddress?
    let family: AddressFamily?
    let addresses: [IPAddress]?
    let httpVersion: HTTPVersionPolicy
    let acceptsCompression: Bool
    let certificateAuthorityFile: String?

    init(_ request: Request, _ configuration: SessionConfiguration) throws(RequestError) {
        let target = try Self.target(of: request.url)
        (host, port, isSecure) = target
        timeouts = request.timeouts.falling(backTo: configuration.timeouts)
        maximumBodySize = request.maximumBodySize ?? configuration.maximumBodySize
        maximumHeaderSize = configuration.maximumHeaderSize
        headers = configuration.headers.merging(request.headers)
        interface = request.interface ?? configuration.interface
        sourceAddress = request.sourceAddress ?? configuration.sourceAddress
        family = request.family ?? configuration.family ?? sourceAddress?.family
        addresses = try Self.usable(request.addresses, family)
        httpVersion = request.httpVersion ?? configuration.httpVersion
        acceptsCompression = configuration.acceptsCompression
        certificateAuthorityFile = configuration.certificateAuthorityFile
        try Self.validate(request.method, headers)
    }

    /// Whether a name has to be looked up before there is something to connect to.
    var needsLookUp: Bool {
        addresses == nil && IPAddress(host) == nil
    }

    private static func target(of url: URL) throws(RequestError) -> (host: String, port: Int, isSecure: Bool) {
        let scheme = url.scheme?.lowercased()
        guard scheme == "http" || scheme == "https" else {
            throw RequestError(.invalidURL(url.absoluteString, problem: "is neither http nor https"))
        }
        guard let host = url.host(), !host.isEmpty else {
            throw RequestError(.invalidURL(url.absoluteString, problem: "has no host"))
        }
        let isSecure = scheme == "https"
        let bare = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        return (bare, url.port ?? (isSecure ? 443 : 80), isSecure)
    }

    private static func usable(
        _ addresses: [IPAddress]?, _ family: AddressFamily?
    ) throws(RequestError) -> [IPAddress]? {
        guard let addresses else { return nil }
        guard let family else { return addresses }
        let usable = addresses.filter { $0.family == family }
        guard !usable.isEmpty else { throw RequestError(.noAddress(of: family)) }
        return usable
    }

    private static func validate(_ method: HTTPMethod, _ headers: HTTPHeaders) throws(RequestError) {
        do throws(HTTPMessageError) {
            try method.validate()
            try headers.validate()
        } catch {
            throw RequestError(.invalidMessage(error))
        }
    }
}
