import RequestEngine

extension Session {
    /// Sends a request, waits for the whole answer, and has it read away from the loop.
    func response<Value>(
        for request: Request, read serializer: some ResponseSerializer<Value>, monitors: [any EventMonitor]
    ) async throws(RequestError) -> (Response, SerializedResponse<Value>) {
        var exchange = Exchange(request, task: makeTaskID(), delivery: .memory)
        exchange.monitors = monitors
        return try await carryOut(exchange) { (response, observers) in
            observers.tell(validationOf: response, by: serializer.validation)
            let serialized = await serializer.read(response)
            observers.tell(.serialized(SerializedAnswer(serialized, by: serializer)))
            return (response, serialized)
        }
    }
}

extension ResponseSerializer {
    @concurrent
    fileprivate func read(_ response: Response) async -> SerializedResponse<Value> {
        serialize(response)
    }
}
