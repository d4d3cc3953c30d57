public import FoundationEssentials
import RequestEngine

/// One function a method. Each gives the body as it is, or read by the serializer given; a status outside of 200…299 is
/// an error that carries the answer, unless the serializer accepts it.
extension HTTPSession {
    public func get<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.get, reference, parameters: parameters, headers: headers)
        return try await send(request, as: serializer, progress: progress)
    }

    /// Asks for the header alone.
    public func head(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:]
    ) async throws(HTTPSessionError) -> TypedResponse<Data> {
        let request = try request(.head, reference, parameters: parameters, headers: headers)
        return try await send(request, as: HTTPResponseSerializer())
    }

    public func post<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.post, reference, parameters: parameters, headers: headers)
        return try await send(request, as: serializer, progress: progress)
    }

    /// Sends a form of several parts, which is read as it is sent.
    public func post<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init(),
        form: (inout MultipartFormData) throws -> Void
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.post, reference, parameters: parameters, headers: headers, form: form)
        return try await send(request, as: serializer, progress: progress)
    }

    public func put<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.put, reference, parameters: parameters, headers: headers)
        return try await send(request, as: serializer, progress: progress)
    }

    public func patch<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.patch, reference, parameters: parameters, headers: headers)
        return try await send(request, as: serializer, progress: progress)
    }

    /// Its parameters stand in the URL, as those of GET and HEAD do.
    public func delete<Value>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> TypedResponse<Value> {
        let request = try request(.delete, reference, parameters: parameters, headers: headers)
        return try await send(request, as: serializer, progress: progress)
    }
}
