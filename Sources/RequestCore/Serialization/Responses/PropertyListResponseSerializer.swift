import FoundationEssentials
public import RequestEngine

/// Reads a property list of any format as a tree. Without a body there is no value; that is no error where none is
/// due (204, 205, 304, to `HEAD`).
public struct PropertyListResponseSerializer: ResponseSerializer {
    public var validation: ResponseValidation

    public init(validation: ResponseValidation = ResponseValidation(contentTypes: [.propertyList])) {
        self.validation = validation
    }

    public func serialize(_ response: Response) -> SerializedResponse<PropertyListValue> {
        serialize(response) { () throws(ResponseSerializationError.Reason) in
            guard !response.hasNoContent else { return nil }
            do {
                return try PropertyListDecoder().decodeBounded(PropertyListValue.self, from: response.body)
            } catch {
                throw .malformed(format: "a property list", error)
            }
        }
    }
}

extension DecodableResponseSerializer {
    /// Decodes a property list of any format.
    public static func propertyList(_ type: Value.Type = Value.self) -> Self {
        Self(validation: ResponseValidation(contentTypes: [.propertyList])) {
            try PropertyListDecoder().decodeBounded(type, from: $0)
        }
    }
}
