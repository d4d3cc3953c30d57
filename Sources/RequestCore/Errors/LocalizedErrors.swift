public import FoundationEssentials

// What Foundation's `localizedDescription` says of an error is its description: without this it would be the name of the
// type and a number.

extension HTTPSessionError: LocalizedError {
    public var errorDescription: String? { description }
}

extension RequestSerializationError: LocalizedError {
    public var errorDescription: String? { description }
}

extension TextEncodingError: LocalizedError {
    public var errorDescription: String? { description }
}

extension PropertyListError: LocalizedError {
    public var errorDescription: String? { description }
}

extension ImageError: LocalizedError {
    public var errorDescription: String? { description }
}

extension DiskCache.Unusable: LocalizedError {
    public var errorDescription: String? { description }
}
