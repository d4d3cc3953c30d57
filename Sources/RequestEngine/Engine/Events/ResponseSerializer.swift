/// Turns an answer into a value, and says what is wrong with it.
public protocol ResponseSerializer<Value>: Sendable {
    associatedtype Value: Sendable

    /// Which answers are acceptable.
    var validation: ResponseValidation { get }

    /// Both a value and an error may come of one answer: a refusal of the server's with a body that explains it.
    func serialize(_ response: Response) -> SerializedResponse<Value>
}

/// What a serializer made of an answer.
public struct SerializedResponse<Value: Sendable>: Sendable {
    /// Nil where there was nothing to make one of, or it could not be made.
    public let value: Value?
    /// Why the answer is not acceptable; nil where it is.
    public let error: ResponseSerializationError?

    public init(value: Value?, error: ResponseSerializationError? = nil) {
        self.value = value
        self.error = error
    }

    /// The value of an acceptable answer. Nil is an answer without content.
    public func get() throws(ResponseSerializationError) -> Value? {
        if let error { throw error }
        return value
    }
}
