import FoundationEssentials
public import RequestEngine

/// Sends parameters as an HTML form does: in the query, or in a body `application/x-www-form-urlencoded`.
public struct HTTPRequestSerializer: RequestSerializer {
    /// How parameters become a query.
    public enum QuerySerialization: Sendable {
        case standard(QueryEncoding)
        /// The caller's own, in the URL and in the body. It is asked also for empty parameters, not for nil.
        case custom(@Sendable (Request, Parameters) throws -> String)
    }

    /// Set on every request that lacks them.
    public var headers: HeaderFields
    /// The methods, in capitals, whose parameters stand in the URL.
    public var methodsEncodingParametersInURL: Set<RequestMethod> = [.get, .head, .delete]
    public var query = QuerySerialization.standard(QueryEncoding())
    /// Set on every request, each where the request has none.
    public var timeouts = Timeouts()

    public init(headers: HeaderFields = Self.defaultHeaders) {
        self.headers = headers
    }

    public var base: HTTPRequestSerializer { self }

    /// `Accept-Language` as the environment says, and `User-Agent`.
    public static var defaultHeaders: HeaderFields {
        var headers = HeaderFields()
        let language = AcceptLanguage(environment: ProcessInfo.processInfo.environment)
        if let value = language.headerValue { headers.append("Accept-Language", value) }
        headers.append("User-Agent", UserAgent.program.description)
        return headers
    }

    /// Sends a user name and password with every request.
    public mutating func setAuthorization(user: String, password: String) throws(RequestSerializationError) {
        guard let field = HeaderFields.Field.authorization(user: user, password: password) else {
            throw .colonInUser(user)
        }
        headers.set(field)
    }

    /// Sends no credentials of its own any more.
    public mutating func clearAuthorization() {
        headers.remove("Authorization")
    }

    /// In a body the form stands also where there are no parameters: an empty form is one.
    public func serialize(
        _ parameters: Parameters?, into request: Request
    ) throws(RequestSerializationError) -> Request {
        var serialized = prepare(request)
        let query = try parameters.map { (parameters) throws(RequestSerializationError) in
            try self.query(of: parameters, for: request)
        }
        if encodesInURL(request.method) {
            serialized.url = try request.url.appendingQuery(query ?? "")
        } else {
            Self.setForm(query ?? "", of: &serialized)
        }
        return serialized
    }

    /// The request with a form that has no fields.
    func emptyForm(_ request: Request) -> Request {
        var serialized = prepare(request)
        Self.setForm("", of: &serialized)
        return serialized
    }

    /// The request with the headers and time-outs that it lacks.
    func prepare(_ request: Request) -> Request {
        var prepared = request
        // Asked of the request as it was given: there may be several fields of one name.
        for field in headers where !request.headers.contains(name: field.name) {
            prepared.headers.append(field.name, field.value)
        }
        prepared.timeouts = request.timeouts.falling(backTo: timeouts)
        return prepared
    }

    private static func setForm(_ form: String, of request: inout Request) {
        request.headers.setDefault("Content-Type", to: MediaType.form.description)
        request.body = .data(Data(form.utf8))
    }

    /// Whether parameters of the method stand in the URL, the method in whatever case.
    func encodesInURL(_ method: RequestMethod) -> Bool {
        methodsEncodingParametersInURL.contains(RequestMethod(rawValue: method.rawValue.uppercased()))
    }

    private func query(
        of parameters: Parameters, for request: Request
    ) throws(RequestSerializationError) -> String {
        switch query {
        case .standard(let encoding): return encoding.query(parameters)
        case .custom(let serialize):
            do { return try serialize(request, parameters) } catch { throw .querySerialization(error) }
        }
    }
}
