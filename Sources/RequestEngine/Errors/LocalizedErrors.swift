public import FoundationEssentials

// What Foundation's `localizedDescription` says of an error is its description: without this it would be the name of the
// type and a number.

extension RequestError: LocalizedError {
    public var errorDescription: String? { description }
}

extension HTTPMessageError: LocalizedError {
    public var errorDescription: String? { description }
}

extension SecurityError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TrustError: LocalizedError {
    public var errorDescription: String? { description }
}

extension AuthenticationError: LocalizedError {
    public var errorDescription: String? { description }
}

extension MultipartError: LocalizedError {
    public var errorDescription: String? { description }
}
