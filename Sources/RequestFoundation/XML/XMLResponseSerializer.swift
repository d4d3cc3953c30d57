public import RequestCore

/// Reads XML as a tree. Of a large document, `XML.Events` gives one event after another instead.
public struct XMLResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation

    public init(validation: ResponseValidation = ResponseValidation(contentTypes: Self.contentTypes)) {
        self.validation = validation
    }

    /// The types under which XML is sent.
    public static let contentTypes = [
        MediaType("application", "xml"), MediaType("text", "xml"), MediaType("application", "*+xml"),
    ]

    public func serialize(_ response: Response) -> SerializedResponse<XML.Document> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            guard !response.hasNoContent else { return nil }
            do {
                return try XML.Document(response.body)
            } catch {
                throw .malformed(format: "XML", error)
            }
        }
    }
}
