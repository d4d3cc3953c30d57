import FoundationEssentials
import RequestEngine

/// Writes parameters into a request: into its query, or into a body of some format.
public protocol RequestSerializer: Sendable {
    /// What every request is given, and where parameters go that stand in the query.
    var base: HTTPRequestSerializer { get }

    /// A request with the parameters in it. Nil is not the same as empty: a format may then send no body.
    func serialize(_ parameters: Parameters?, into request: Request) throws(RequestSerializationError) -> Request
}

extension RequestSerializer {
    /// A new request, from a method and an absolute URL.
    public func request(
        _ method: RequestMethod, _ url: String, parameters: Parameters? = nil, headers: HeaderFields = [:]
    ) throws(RequestSerializationError) -> Request {
        guard let parsed = URL.reading(url), parsed.isAbsoluteHTTP else {
            throw .invalidURL(url)
        }
        var request = try serialize(parameters, into: Request(url: parsed, method: method))
        request.headers = request.headers.merging(headers)
        do { try request.headers.validate() } catch { throw .message(error) }
        do { try method.validate() } catch { throw .message(error) }
        return request
    }

    /// A request with the members of any value that encodes itself with keys.
    public func serialize(
        _ value: some Encodable, encoder: ParameterEncoder = ParameterEncoder(), into request: Request
    ) throws(RequestSerializationError) -> Request {
        try serialize(try encoder.parameters(value), into: request)
    }
}

extension RequestSerializer where Self == HTTPRequestSerializer {
    /// Parameters as an HTML form sends them.
    public static var form: Self { HTTPRequestSerializer() }
}

extension RequestSerializer where Self == JSONRequestSerializer {
    public static var json: Self { JSONRequestSerializer() }
}

extension RequestSerializer where Self == PropertyListRequestSerializer {
    public static var propertyList: Self { PropertyListRequestSerializer() }
}

extension URL {
    /// Whether the URL can be asked over HTTP: with that scheme in any case, a host, and a port that there is.
    var isAbsoluteHTTP: Bool {
        guard let scheme = scheme?.lowercased(), scheme == "http" || scheme == "https", asciiHost != nil else {
            return false
        }
        return (0...Int(UInt16.max)).contains(port ?? 0)
    }
}
