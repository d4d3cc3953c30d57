import RequestEngine

/// One function a method, which gives the value alone: `let users = try await api.get("users", as: [User].self)`.
///
/// The body is read as JSON by ``HTTPSession/decoder``. An answer without content is an error, unless an optional is asked
/// for, which is then nil. For the status or the fields besides, ask with a serializer.
extension HTTPSession {
    public func get<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> Value {
        try await value(of: get(reference, parameters: parameters, headers: headers, as: reader(), progress: progress))
    }

    public func post<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> Value {
        try await value(of: post(reference, parameters: parameters, headers: headers, as: reader(), progress: progress))
    }

    /// Sends a form of several parts, which is read as it is sent.
    public func post<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init(),
        form: (inout MultipartFormData) throws -> Void
    ) async throws(HTTPSessionError) -> Value {
        try await value(
            of: post(
                reference, parameters: parameters, headers: headers, as: reader(), progress: progress, form: form))
    }

    public func put<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> Value {
        try await value(of: put(reference, parameters: parameters, headers: headers, as: reader(), progress: progress))
    }

    public func patch<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> Value {
        try await value(
            of: patch(reference, parameters: parameters, headers: headers, as: reader(), progress: progress))
    }

    /// Its parameters stand in the URL, as those of GET and HEAD do.
    public func delete<Value: Decodable & Sendable>(
        _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as type: Value.Type = Value.self, progress: ProgressHandlers = .init()
    ) async throws(HTTPSessionError) -> Value {
        try await value(
            of: delete(reference, parameters: parameters, headers: headers, as: reader(), progress: progress))
    }

    // MARK: A value as the body

    /// Sends the members of a value as the parameters: in JSON, a form or a property list, as the request serializer does.
    public func post<Body: Encodable, Value: Decodable & Sendable>(
        _ reference: String, body: Body, headers: HeaderFields = [:], as type: Value.Type = Value.self
    ) async throws(HTTPSessionError) -> Value {
        try await post(reference, parameters: parameters(body), headers: headers, as: type)
    }

    public func put<Body: Encodable, Value: Decodable & Sendable>(
        _ reference: String, body: Body, headers: HeaderFields = [:], as type: Value.Type = Value.self
    ) async throws(HTTPSessionError) -> Value {
        try await put(reference, parameters: parameters(body), headers: headers, as: type)
    }

    public func patch<Body: Encodable, Value: Decodable & Sendable>(
        _ reference: String, body: Body, headers: HeaderFields = [:], as type: Value.Type = Value.self
    ) async throws(HTTPSessionError) -> Value {
        try await patch(reference, parameters: parameters(body), headers: headers, as: type)
    }

    private func parameters(_ body: some Encodable) throws(HTTPSessionError) -> Parameters {
        do { return try ParameterEncoder().parameters(body) } catch { throw .request(error) }
    }

    // MARK: Reading

    private func reader<Value>() -> DecodableResponseSerializer<Value> {
        var reader = DecodableResponseSerializer<Value>(decoder: decoder)
        reader.needsBody = !(Value.self is any AbsentValue.Type)
        return reader
    }

    private func value<Value>(of response: TypedResponse<Value>) throws(HTTPSessionError) -> Value {
        if let value = response.value { return value }
        if let absent = (Value.self as? any AbsentValue.Type)?.absent as? Value { return absent }
        throw .response(ResponseSerializationError(.emptyBody, response.response))
    }
}

/// A value that may be absent: an optional.
private protocol AbsentValue {
    static var absent: Self { get }
}

extension Optional: AbsentValue {
    fileprivate static var absent: Self { nil }
}
