public import FoundationEssentials
public import RequestEngine

/// Asks a web service: references below a base URL, parameters written by a serializer, answers read by another.
///
/// Redirects are followed, at most ten (``redirects``), which the ``Session`` itself does not do.
///
/// A value over a ``Session``; copies share it. Its methods may be called from anywhere. Bodies are read on the
/// concurrent pool, never on the session's loop.
public struct HTTPSession: Sendable {
    public let session: Session
    /// What references are relative to; nil where every URL is absolute.
    public let baseURL: BaseURL?
    /// Writes the parameters.
    public var requestSerializer: any RequestSerializer
    /// Decodes the answers that are asked for as a type.
    public var decoder = JSONDecoder()
    /// Fields of every request, over those of the serializer.
    public var headers: HeaderFields = [:]
    /// Follows redirects, at most ten; nil for none. One among the interceptors of the session or of a request takes its
    /// place.
    public var redirects: RedirectFollower? = RedirectFollower()

    public init(session: Session, baseURL: BaseURL? = nil, requestSerializer: any RequestSerializer = .form) {
        self.session = session
        self.baseURL = baseURL
        self.requestSerializer = requestSerializer
    }

    /// Asks the service at a base URL, over a session of its own.
    ///
    /// - Parameters:
    ///   - baseURL: What references are relative to: an absolute `http` or `https` URL.
    ///   - configuration: How the session behaves.
    ///   - requestSerializer: Writes the parameters.
    public init(
        _ baseURL: String, configuration: SessionConfiguration = .default,
        requestSerializer: any RequestSerializer = .form
    ) throws(RequestError) {
        self.init(
            session: try Session(configuration: configuration), baseURL: try BaseURL(baseURL),
            requestSerializer: requestSerializer)
    }

    // MARK: Requests

    /// The request for a reference, with its parameters written into it. The headers given replace those of the same
    /// name that the serializer or this session would set.
    public func request(
        _ method: RequestMethod, _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:]
    ) throws(HTTPSessionError) -> Request {
        let request = Request(url: try url(reference), method: method, headers: self.headers.merging(headers))
        do {
            return try requestSerializer.serialize(parameters, into: request)
        } catch {
            throw .request(error)
        }
    }

    /// The request for a reference that carries a form of several parts: the parameters, and what the closure adds.
    public func request(
        _ method: RequestMethod, _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        form: (inout MultipartFormData) throws -> Void
    ) throws(HTTPSessionError) -> Request {
        let request = Request(url: try url(reference), method: method, headers: self.headers.merging(headers))
        do {
            return try requestSerializer.base.multipart(request, parameters: parameters, form)
        } catch {
            throw .request(error)
        }
    }

    private func url(_ reference: String) throws(HTTPSessionError) -> URL {
        do {
            guard let baseURL else { return try BaseURL.absolute(reference) }
            return try baseURL.resolve(reference)
        } catch {
            throw .transfer(error)
        }
    }

    private func following(_ request: Request) -> Request {
        let interceptors = session.configuration.interceptors + request.interceptors
        guard let redirects, !interceptors.contains(where: { $0 is RedirectFollower }) else { return request }
        var request = request
        request.interceptors.insert(redirects, at: 0)
        return request
    }

    // MARK: Answers

    /// Sends a request and reads the answer.
    public func send<Value>(
        _ request: Request, as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let (response, serialized): (Response, SerializedResponse<Value>)
        do {
            (response, serialized) = try await session.response(
                for: following(request), read: serializer, monitors: progress.monitors)
        } catch {
            throw .transfer(error)
        }
        do {
            return TypedResponse(value: try serialized.get(), response: response)
        } catch {
            throw .response(error)
        }
    }
}
