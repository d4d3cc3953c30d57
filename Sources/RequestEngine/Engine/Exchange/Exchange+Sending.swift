extension Exchange {
    /// What is left of ``Timeouts/total``; nil without a limit.
    package var timeLeft: Duration? {
        let total = request.timeouts.total ?? session?.configuration.timeouts.total
        return total.map { max(.zero, $0 - timeSpent) }
    }

    /// Makes the request as it goes out: without what is secret to other origins than the one it asks, and with what is
    /// left of the time that it may take with all that led to it.
    mutating func prepareToSend(_ configuration: SessionConfiguration) throws(RequestError) {
        guard request.hasLeftOrigin || timeSpent > .zero else { return }
        request = request.withoutForeignSecrets
        if timeSpent > .zero, let total = request.timeouts.total ?? configuration.timeouts.total {
            guard total > timeSpent else { throw RequestError(.timedOut(.resolve, after: total)) }
            request.timeouts.total = total - timeSpent
        }
    }
}
