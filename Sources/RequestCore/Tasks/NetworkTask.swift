public import RequestEngine

/// A task of any kind, as a session lists it.
public protocol NetworkTask: AnyObject, Sendable {
    /// The task's number, which no other task of the process has.
    var id: TaskID { get }
    var kind: TaskKind { get }
    /// The request as it was given.
    var request: Request { get }
    var state: TaskState { get }
    /// Its weight among the requests of one HTTP/2 connection, from 0 to 1: that of the request.
    var priority: Double { get }

    /// Starts the task, or lets it go on.
    func resume()
    /// Holds the task still.
    func suspend()
    /// Ends the task with ``RequestError/Reason/cancelled``.
    func cancel()

    /// How much of the answer's body has come.
    var downloadProgress: AsyncStream<TransferProgress> { get }
    /// How much of the request's body was sent.
    var uploadProgress: AsyncStream<TransferProgress> { get }
}

extension SessionTask: EndableTask {}

extension SessionTask: NetworkTask {
    public var priority: Double { request.priority }
}
