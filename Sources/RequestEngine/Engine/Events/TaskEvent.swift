public import SystemPackage

/// Something that happened to a task of a session.
public struct TaskEvent: Sendable {
    public let task: TaskID
    public let kind: Kind

    /// What happened. Every task that was started ends with one ``completed(_:)``.
    public enum Kind: Sendable {
        /// The task was started, or goes on after a suspension.
        case resumed
        /// The task was suspended.
        case suspended
        /// A request is sent: the first one, or one that follows a redirect, a challenge or a failure.
        case requested(Request)
        /// The header of an answer has come, also of one that is not the last.
        case responded(ResponseHead)
        /// Some of the request's body was handed to the connection.
        case sent(TransferProgress)
        /// Some of the answer's body has come. Not told of an answer that another follows, such as a redirect.
        case received(TransferProgress)
        /// What was measured on one request, whether it failed or not.
        case measured(RequestMetrics)
        /// The task's last answer is whole, with its body where that goes into memory.
        case answered(Response)
        /// The file of a download is in its place.
        case saved(FilePath)
        /// The answer was read as a value, or was found unacceptable.
        case serialized(SerializedAnswer)
        /// The task is over: with nil it gave an answer.
        case completed(RequestError?)
    }
}

/// What a serializer made of an answer, without its type.
public struct SerializedAnswer: Sendable {
    public let serializer: any ResponseSerializer
    public let value: (any Sendable)?
    public let error: ResponseSerializationError?

    package init<Value>(_ serialized: SerializedResponse<Value>, by serializer: some ResponseSerializer<Value>) {
        self.serializer = serializer
        value = serialized.value
        error = serialized.error
    }
}

/// How far a body has come.
public struct TransferProgress: Hashable, Sendable {
    /// The bytes on the wire so far.
    public let completed: Int64
    /// All bytes there will be on the wire; nil where the server has not said.
    public let total: Int64?
    /// The bytes so far after decompression.
    public let decoded: Int64

    package init(completed: Int64, total: Int64?, decoded: Int64) {
        self.completed = completed
        self.total = total
        self.decoded = decoded
    }

    /// The part that is done, from 0 to 1; nil where the total is not known.
    public var fraction: Double? {
        guard let total else { return nil }
        return total > 0 ? min(1, Double(completed) / Double(total)) : 1
    }
}
