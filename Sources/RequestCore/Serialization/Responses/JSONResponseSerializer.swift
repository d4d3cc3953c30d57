public import FoundationEssentials
public import JSON
public import RequestEngine

/// Reads JSON as a tree. A blank body is no value and no error; the body of a refusal is read like any other.
public struct JSONResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation
    public var options: JSONReadingOptions
    /// Whether null members and elements are removed, at every depth.
    public var removesNulls = false
    /// What is done to the body before it is read.
    public var preprocessing = BodyPreprocessing.none

    public init(
        validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes),
        options: JSONReadingOptions = JSONReadingOptions()
    ) {
        self.validation = validation
        self.options = options
    }

    /// The types under which JSON is sent.
    public static let contentTypes = [
        MediaType("application", "json"), MediaType("text", "json"), MediaType("text", "javascript"),
    ]

    public func serialize(_ response: Response) -> SerializedResponse<JSONValue> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            guard !response.isBlank else { return nil }
            do {
                let value = try JSONValue(json: preprocessing.apply(to: response.body), options: options)
                return removesNulls ? value.removingNulls() : value
            } catch {
                throw .malformed(format: "JSON", error)
            }
        }
    }
}

/// What is done to a body before it is read.
public enum BodyPreprocessing: Sendable {
    case none
    /// Removes `)]}',` and a line break, which Google puts before JSON to keep other sites from running it.
    case strippingScriptGuard
    case custom(@Sendable (Data) -> Data)

    func apply(to body: Data) -> Data {
        switch self {
        case .none: body
        case .strippingScriptGuard: body.starts(with: Self.scriptGuard) ? body.dropFirst(Self.scriptGuard.count) : body
        case .custom(let change): change(body)
        }
    }

    private static let scriptGuard = Array(")]}',\n".utf8)
}
