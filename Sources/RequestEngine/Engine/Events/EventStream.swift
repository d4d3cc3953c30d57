/// A monitor whose events are read as an `AsyncSequence`, those of retries and validations each as one of their own. Events
/// beyond the buffer push out the oldest.
public final class EventStream: EventMonitor {
    public let events: AsyncStream<TaskEvent>
    public let retries: AsyncStream<RetryEvent>
    public let validations: AsyncStream<ValidationEvent>
    private let continuation: AsyncStream<TaskEvent>.Continuation
    private let retry: AsyncStream<RetryEvent>.Continuation
    private let validation: AsyncStream<ValidationEvent>.Continuation

    public init(bufferingNewest limit: Int = 1024) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
        (retries, retry) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
        (validations, validation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
    }

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
