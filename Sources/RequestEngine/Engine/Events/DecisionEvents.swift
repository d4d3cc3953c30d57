/// A request of a task is about to be sent again.
public struct RetryEvent: Sendable {
    public let task: TaskID
    /// How often it was sent so far, as the `Attempts` counts that sends it again.
    public let count: Int
    /// How long until it is sent again.
    public let delay: Duration
    /// What came of it the last time.
    public let result: Result<Response, RequestError>
}

/// The answer of a task was looked at by its serializer's ``ResponseValidation``.
public struct ValidationEvent: Sendable {
    public let task: TaskID
    public let response: Response
    /// Why it is not acceptable; nil where it is.
    public let error: ResponseSerializationError?
}
