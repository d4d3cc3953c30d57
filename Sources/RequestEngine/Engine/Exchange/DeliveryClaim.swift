internal import Synchronization

/// Which transfer may write into a place outside of the answer: one at a time, and no other once what the first has written can
/// not be taken back.
final class DeliveryClaim: Sendable {
    private enum State {
        case free
        case taken
        /// The caller has something of an answer: the error that ended it, where one has.
        case spent(RequestError?)
    }

    private let state = Mutex(State.free)

    /// Begins a transfer.
    func take() throws(RequestError) {
        let refusal: RequestError? = state.withLock { state in
            switch state {
            case .free:
                state = .taken
                return nil
            case .taken:
                return RequestError(.undeliverable("another transfer of the same task writes there now"))
            case .spent(let error):
                return error ?? RequestError(.undeliverable("the caller has an answer of the same task already"))
            }
        }
        if let refusal { throw refusal }
    }

    /// Ends the transfer.
    ///
    /// - Parameter isBeyondRecall: Whether something of its answer has reached the caller.
    func release(_ result: Result<Response, RequestError>, isBeyondRecall: Bool) {
        let error: RequestError? = if case .failure(let error) = result { error } else { nil }
        state.withLock { $0 = isBeyondRecall ? .spent(error) : .free }
    }
}
