public import FoundationEssentials
public import RequestEngine

/// An answer whose body is read as it comes. What is not read is not fetched, beyond a buffer of some 256 KiB; a stream
/// that is not referred to any more ends its transfer, and so does a reading task that is cancelled: its next piece is the error
/// ``RequestError/Reason/cancelled``.
public struct ResponseStream: Sendable {
    public let head: ResponseHead
    /// The body, in pieces of some kilobytes. It can be read once.
    public let body: Body
    private let buffer: BodyStreamBuffer

    /// What was measured, once the body has been read to its end.
    public var metrics: RequestMetrics? { buffer.response?.metrics }

    /// The fields that came after the body; nil until it has been read to its end.
    public var trailers: HeaderFields? { buffer.response?.trailers }

    init(head: ResponseHead, buffer: BodyStreamBuffer, task: Task<Void, Never>) {
        self.head = head
        self.buffer = buffer
        body = Body(buffer: buffer, task: task)
    }

    /// The pieces of a body.
    public struct Body: AsyncSequence, Sendable {
        public typealias Element = Data
        public typealias Failure = RequestError

        private let source: Source

        init(buffer: BodyStreamBuffer, task: Task<Void, Never>) {
            source = Source(buffer: buffer, task: task)
        }

        public func makeAsyncIterator() -> Iterator {
            Iterator(source: source)
        }

        public struct Iterator: AsyncIteratorProtocol {
            fileprivate let source: Source

            public mutating func next(isolation: isolated (any Actor)?) async throws(RequestError) -> Data? {
                try await source.next()
            }

            public mutating func next() async throws(RequestError) -> Data? {
                try await source.next()
            }
        }
    }

    /// Ends the transfer with the last reference to the stream or to one of its iterators.
    fileprivate final class Source: Sendable {
        private let buffer: BodyStreamBuffer
        private let task: Task<Void, Never>

        init(buffer: BodyStreamBuffer, task: Task<Void, Never>) {
            self.buffer = buffer
            self.task = task
        }

        deinit {
            task.cancel()
        }

        /// Cancelling the reading task ends the transfer, and with it the wait. What has come by then is not given any more.
        func next() async throws(RequestError) -> Data? {
            guard !Task.isCancelled else {
                task.cancel()
                throw RequestError(.cancelled)
            }
            let piece = await withTaskCancellationHandler {
                await buffer.next()
            } onCancel: {
                task.cancel()
            }
            return try piece.get()
        }
    }
}
