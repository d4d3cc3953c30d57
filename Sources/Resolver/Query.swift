import CCares
import EventLoop

/// One look-up in flight. The reply races with the deadline and with cancellation to end the wait for it.
final class Query: Sendable {
    typealias Outcome = Result<[Record], ResolverError>

    let name: String
    let type: RecordType
    /// Told how much each section of the answer has, whatever else comes of it.
    private let answered: (@Sendable (ReplySections) -> Void)?
    private let wait: FirstOutcome<Outcome>

    init(
        name: String, type: RecordType, answered: (@Sendable (ReplySections) -> Void)? = nil,
        _ wait: FirstOutcome<Outcome>
    ) {
        self.name = name
        self.type = type
        self.answered = answered
        self.wait = wait
    }

    /// Ends the look-up with what c-ares says. The bytes are read before this returns.
    func finish(status: CInt, bytes: [UInt8]) {
        if let answered, let sections = ReplySections(bytes.span) { answered(sections) }
        guard status == ARES_SUCCESS else {
            wait.finish(.failure(error(status)))
            return
        }
        let (parsed, records) = NameReply(bytes: bytes).records(type)
        wait.finish(parsed == ARES_SUCCESS ? .success(records) : .failure(error(parsed)))
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
