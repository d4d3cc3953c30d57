import CCares
import Synchronization

/// One look-up in flight. The reply, the deadline and cancellation race for its continuation, which is resumed once.
final class Query: Sendable {
    typealias Outcome = Result<[Record], ResolverError>

    let name: String
    let type: RecordType
    /// Told how much each section of the answer has, whatever else comes of it.
    private let answered: (@Sendable (ReplySections) -> Void)?
    private let waiting: Mutex<Waiting?>

    /// Who waits for the outcome, and what to tidy up when there is one.
    private struct Waiting {
        let continuation: CheckedContinuation<Outcome, Never>
        var tidyUp: @Sendable () -> Void = {}
    }

    init(
        name: String, type: RecordType, answered: (@Sendable (ReplySections) -> Void)? = nil,
        _ continuation: CheckedContinuation<Outcome, Never>
    ) {
        self.name = name
        self.type = type
        self.answered = answered
        waiting = Mutex(Waiting(continuation: continuation))
    }

    /// Runs a closure once there is an outcome; at once where there is one already.
    func onFinish(_ tidyUp: @escaping @Sendable () -> Void) {
        let isWaiting = waiting.withLock { waiting in
            waiting?.tidyUp = tidyUp
            return waiting != nil
        }
        if !isWaiting { tidyUp() }
    }

    /// Whether there is no outcome yet.
    var isUnderWay: Bool { waiting.withLock { $0 != nil } }

    func finish(_ outcome: Outcome) {
        let ended = waiting.withLock { waiting in
            defer { waiting = nil }
            return waiting
        }
        ended?.tidyUp()
        ended?.continuation.resume(returning: outcome)
    }

    /// Ends the look-up with what c-ares says. The bytes are read before this returns.
    func finish(status: CInt, bytes: [UInt8]) {
        if let answered, let sections = ReplySections(bytes.span) { answered(sections) }
        guard status == ARES_SUCCESS else {
            finish(.failure(error(status)))
            return
        }
        let (parsed, records) = NameReply(bytes: bytes).records(type)
        finish(parsed == ARES_SUCCESS ? .success(records) : .failure(error(parsed)))
    }

    private func error(_ status: CInt) -> ResolverError {
        switch status {
        case ARES_ENOTFOUND: .nameNotFound(name)
        case ARES_ENODATA: .noRecords(name, type)
        case ARES_EBADNAME: .invalidName(name)
        case ARES_ESERVFAIL, ARES_EREFUSED, ARES_ENOTIMP, ARES_EFORMERR:
            unsafe .serverFailed(name, reason: String(cString: ares_strerror(status)))
        case ARES_ETIMEOUT: .timedOut(name, after: .zero)
        case ARES_ECONNREFUSED: .unreachable(name)
        case ARES_EBADRESP: .malformedAnswer(name)
        case ARES_ECANCELLED, ARES_EDESTRUCTION: .cancelled
        default: unsafe .serverFailed(name, reason: String(cString: ares_strerror(status)))
        }
    }
}

/// Carries a task's cancellation to its query, whichever of the two comes first.
final class QueryCancellation: Sendable {
    private enum State {
        case idle
        case armed(Query)
        case cancelled
    }

    private let state = Mutex(State.idle)

    func arm(_ query: Query) {
        let isCancelled = state.withLock { state in
            if case .cancelled = state { return true }
            state = .armed(query)
            return false
        }
        if isCancelled { query.finish(.failure(.cancelled)) }
    }

    func cancel() {
        let query: Query? = state.withLock { state in
            defer { state = .cancelled }
            guard case .armed(let query) = state else { return nil }
            return query
        }
        query?.finish(.failure(.cancelled))
    }
}
