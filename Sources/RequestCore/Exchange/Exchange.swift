/// A request on its way through the interceptors, and where the answer's body is to go.
public struct Exchange: Sendable {
    public var request: Request
    public let task: TaskID
    /// Whether an answer is an intermediate one, such as a redirect that is followed: its body does not go to the caller that
    /// waits; the beginning of it stands in the `Response` that the interceptor gets. Called on the loop's thread.
    public var setsAside: @Sendable (ResponseHead) -> Bool = { _ in false }
    /// Who watches this task, the session's monitors included.
    public var monitors: [any EventMonitor] = []
    let delivery: Delivery
    /// Whose request it is; nil before it is on its way.
    var session: Session?
    /// What those that led here, such as the legs of a redirect, have taken of ``Timeouts/total``.
    var timeSpent = Duration.zero

    init(_ request: Request, task: TaskID, delivery: Delivery) {
        self.request = request
        self.task = task
        self.delivery = delivery
    }

    /// Sets more answers aside than before.
    public mutating func setAside(_ isIntermediate: @escaping @Sendable (ResponseHead) -> Bool) {
        setsAside = { [setsAside] head in isIntermediate(head) || setsAside(head) }
    }

    /// Counts the time of an answer that was not the last as spent. Not the time between: a handler may have asked a person.
    mutating func noteTime(of response: Response) {
        timeSpent = max(timeSpent, response.timeSpent)
    }
}

/// Where the body of an answer goes.
enum Delivery: Sendable {
    case memory
    case stream(BodyStreamBuffer)
    case file(PartialFile)

    /// How much libcurl reads at once. Its own 16 KiB would take a call of the system and a turn of the loop for each of
    /// them; what is mostly small needs no more room.
    var bufferSize: Int {
        switch self {
        case .memory: 64 << 10
        case .stream: 128 << 10
        case .file: 256 << 10
        }
    }

    /// How much is kept of a body that is set aside: all that may be kept of the answer, since it may turn out to be that.
    func sampleLimit(_ settings: TransferSettings) -> Int {
        switch self {
        case .memory: settings.maximumBodySize
        case .stream: min(1 << 20, settings.maximumBodySize)
        case .file: min(64 << 10, settings.maximumBodySize)
        }
    }

    /// Hands the last answer over, where it was set aside and has turned out to be the last.
    func handOver(_ response: Response, mayBeCut: Bool) throws(RequestError) -> Response {
        if case .stream(let buffer) = self { buffer.begin(late: response) }
        guard !response.isBodyCut || mayBeCut else {
            throw RequestError(.bodyTooLarge(limit: response.body.count), metrics: response.metrics)
        }
        return response
    }

    /// Tidies up after a failure, and adds what can be made of what has come.
    func conclude(_ error: RequestError) -> RequestError {
        guard case .file(let file) = self else { return error }
        var error = error
        error.resumeData = file.fail(error.reason)
        return error
    }
}
