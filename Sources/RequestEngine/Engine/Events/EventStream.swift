import Synchronization

/// A monitor whose events are read as an `AsyncSequence`, those of retries and validations each as one of their own. Events
/// beyond the buffer push out the oldest.
public final class EventStream: EventMonitor {
    public let events: AsyncStream<TaskEvent>
    private let continuation: AsyncStream<TaskEvent>.Continuation
    private let retry: LateStream<RetryEvent>
    private let validation: LateStream<ValidationEvent>

    public init(bufferingNewest limit: Int = 1024) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
        (retry, validation) = (LateStream(limit), LateStream(limit))
    }

    /// The retries from when this was read first. Each holds the answer with its body.
    public var retries: AsyncStream<RetryEvent> { retry.stream }

    /// The validations from when this was read first. Each holds the answer with its body.
    public var validations: AsyncStream<ValidationEvent> { validation.stream }

    public func observe(_ event: TaskEvent) {
        continuation.yield(event)
    }

    public func observe(_ event: RetryEvent) {
        retry.yield(event)
    }

    public func observe(_ event: ValidationEvent) {
        validation.yield(event)
    }

    deinit {
        continuation.finish()
        retry.finish()
        validation.finish()
    }
}

/// A stream that holds nothing before it is asked for.
private final class LateStream<Element: Sendable>: Sendable {
    private typealias Ends = (stream: AsyncStream<Element>, continuation: AsyncStream<Element>.Continuation)

    private let limit: Int
    private let ends = Mutex<Ends?>(nil)

    init(_ limit: Int) { self.limit = limit }

    var stream: AsyncStream<Element> {
        ends.withLock { ends in
            let known = ends ?? AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
            ends = known
            return known.stream
        }
    }

    func yield(_ element: Element) {
        _ = ends.withLock { $0?.continuation }?.yield(element)
    }

    func finish() { ends.withLock { $0?.continuation }?.finish() }
}
