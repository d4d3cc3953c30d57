public import RequestEngine

extension Session {
    /// Sends a request and returns as soon as the answer's header is there; the body is read from the stream.
    ///
    /// The time-out `total` covers the reading too, and `idle` does not run while the reader makes the transfer wait.
    public func stream(_ request: Request) async throws(RequestError) -> ResponseStream {
        let buffer = BodyStreamBuffer(capacity: 256 << 10)
        let exchange = Exchange(request, task: makeTaskID(), delivery: .outlet(buffer))
        let task = Task(executorPreference: loop) {
            do throws(RequestError) {
                buffer.end(.success(try await self.respond(to: exchange)))
            } catch {
                buffer.end(.failure(error))
            }
        }
        let head = await withTaskCancellationHandler {
            await buffer.head()
        } onCancel: {
            task.cancel()
        }
        return ResponseStream(head: try head.get(), buffer: buffer, task: task)
    }
}
