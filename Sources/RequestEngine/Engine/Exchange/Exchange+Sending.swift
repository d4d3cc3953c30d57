extension Exchange {
    /// The exchange as its request goes out: without what is secret to other origins than the one it asks, and with what is
    /// left of the time that it may take with all that led to it.
    func readyToSend(_ configuration: SessionConfiguration) throws(RequestError) -> Exchange {
        guard request.hasLeftOrigin || timeSpent > .zero else { return self }
        var exchange = self
        exchange.request = request.withoutForeignSecrets
        if timeSpent > .zero, let total = request.timeouts.total ?? configuration.timeouts.total {
            guard total > timeSpent else { throw RequestError(.timedOut(.resolve, after: total)) }
            exchange.request.timeouts.total = total - timeSpent
        }
        return exchange
    }
}
