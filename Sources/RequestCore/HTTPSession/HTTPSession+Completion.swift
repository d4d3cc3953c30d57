public import Dispatch
import RequestEngine

/// Where completion handlers are called.
public struct CompletionQueue: Sendable {
    public let queue: DispatchQueue
    /// Entered before the request is sent and left when its handler has returned.
    public let group: DispatchGroup?

    public init(_ queue: DispatchQueue, group: DispatchGroup? = nil) {
        self.queue = queue
        self.group = group
    }

    /// A serial queue of this module's own, on no thread in particular and never the main one.
    public static let `default` = CompletionQueue(DispatchQueue(label: "netwatch.completion"))
}

extension HTTPSession {
    /// Sends a request, and calls the handler once with what came of it.
    ///
    /// For code that is not asynchronous. The handler is called for a failure to make the request too, never before
    /// this returns.
    ///
    /// - Returns: The task that waits; cancelling it ends the request.
    @discardableResult
    public func task<Value>(
        _ method: RequestMethod, _ reference: String, parameters: Parameters? = nil, headers: HeaderFields = [:],
        as serializer: some ResponseSerializer<Value>, progress: ProgressHandlers = .init(),
        on completionQueue: CompletionQueue = .default,
        completion: @escaping @Sendable (Result<TypedResponse<Value>, HTTPSessionError>) -> Void
    ) -> Task<Void, Never> {
        completionQueue.group?.enter()
        return Task(executorPreference: session.loop) {
            let result: Result<TypedResponse<Value>, HTTPSessionError>
            do throws(HTTPSessionError) {
                let request = try request(method, reference, parameters: parameters, headers: headers)
                result = .success(try await send(request, as: serializer, progress: progress))
            } catch {
                result = .failure(error)
            }
            completionQueue.queue.async {
                completion(result)
                completionQueue.group?.leave()
            }
        }
    }
}
