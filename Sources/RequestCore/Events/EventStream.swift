/// A monitor whose events are read as an `AsyncSequence`. Events beyond the buffer push out the oldest.
public final class EventStream: EventMonitor {
    public let events: AsyncStream<TaskEvent>
    private let continuation: AsyncStream<TaskEvent>.Continuation

    public init(bufferingNewest limit: Int = 1024) {
        (events, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(limit))
    }

    public func observe(_ event: TaskEvent) {
        continuation.yield(event)
    }

    deinit {
        continuation.finish()
    }
}
