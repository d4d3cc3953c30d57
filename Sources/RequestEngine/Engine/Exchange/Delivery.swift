/// Where the body of an answer goes.
package enum Delivery: Sendable {
    case memory
    case outlet(any BodyOutlet)
}

/// A place outside of the answer that a body goes to, such as a file, or the reader of a stream.
package protocol BodyOutlet: Sendable {
    /// How many bytes libcurl reads at once.
    var bufferSize: Int { get }
    /// The most bytes that are kept of a body that is set aside.
    var sampleLimit: Int { get }

    /// Makes what takes the body of one answer.
    ///
    /// - Parameter resume: Makes the transfer go on after a pause, from any thread.
    func makeReceiver(resume: @escaping @Sendable () -> Void) -> any BodyReceiver

    /// Whether something of an answer has reached the caller, so that no other can come in its place.
    var isBeyondRecall: Bool { get }

    /// Takes the last answer, where its body was set aside and has turned out to be the last.
    func take(late response: Response)

    /// Tidies up after a failure, and adds what can be made of what has come.
    func conclude(_ error: RequestError) -> RequestError
}

extension BodyOutlet {
    package var isBeyondRecall: Bool { false }
    package func take(late response: Response) {}
    package func conclude(_ error: RequestError) -> RequestError { error }
}

extension Delivery {
    package var isMemory: Bool {
        if case .memory = self { true } else { false }
    }

    /// Whether something of an answer has reached the caller, so that no other can come in its place.
    package var isBeyondRecall: Bool {
        if case .outlet(let outlet) = self { outlet.isBeyondRecall } else { false }
    }

    /// How much libcurl reads at once. Its own 16 KiB would take a call of the system and a turn of the loop for each of
    /// them; what is mostly small needs no more room.
    var bufferSize: Int {
        switch self {
        case .memory: 64 << 10
        case .outlet(let outlet): outlet.bufferSize
        }
    }

    /// How much is kept of a body that is set aside: all that may be kept of the answer, since it may turn out to be that.
    func sampleLimit(_ settings: TransferSettings) -> Int {
        switch self {
        case .memory: settings.options.bodyLimit
        case .outlet(let outlet): min(outlet.sampleLimit, settings.options.bodyLimit)
        }
    }

    /// Hands the last answer over, where it was set aside and has turned out to be the last.
    package func handOver(_ response: Response, mayBeCut: Bool) throws(RequestError) -> Response {
        if let flaw = response.bodyFlaw { throw RequestError(flaw, metrics: response.metrics) }
        if case .outlet(let outlet) = self { outlet.take(late: response) }
        guard !response.isBodyCut || mayBeCut else {
            throw RequestError(.bodyTooLarge(limit: response.body.count), metrics: response.metrics)
        }
        return response
    }

    func conclude(_ error: RequestError) -> RequestError {
        if case .outlet(let outlet) = self { outlet.conclude(error) } else { error }
    }
}
