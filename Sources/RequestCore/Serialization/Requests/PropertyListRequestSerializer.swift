public import FoundationEssentials
import RequestEngine

/// Sends parameters as a property list; those of methods without a body stand in the query.
public struct PropertyListRequestSerializer: RequestSerializer {
    public var base: HTTPRequestSerializer
    public var format: PropertyListDecoder.PropertyListFormat

    public init(
        base: HTTPRequestSerializer = HTTPRequestSerializer(),
        format: PropertyListDecoder.PropertyListFormat = .xml
    ) {
        self.base = base
        self.format = format
    }

    /// Without parameters there is no body and no `Content-Type`.
    public func serialize(
        _ parameters: Parameters?, into request: Request
    ) throws(RequestSerializationError) -> Request {
        if base.encodesInURL(request.method) { return try base.serialize(parameters, into: request) }
        var serialized = base.prepare(request)
        guard let parameters else { return serialized }
        serialized.body = .data(try encode(parameters))
        serialized.headers.setDefault("Content-Type", to: "application/x-plist")
        return serialized
    }

    private func encode(_ parameters: Parameters) throws(RequestSerializationError) -> Data {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = format
        do {
            return try encoder.encode(Node(value: .dictionary(parameters), path: ""))
        } catch {
            throw Self.cause(of: error)
        }
    }

    /// The refusal of a node, out of what the encoder wraps it in.
    private static func cause(of error: any Error) -> RequestSerializationError {
        guard case EncodingError.invalidValue(_, let context) = error,
            let refusal = context.underlyingError as? RequestSerializationError
        else { return .encoding(error) }
        return refusal
    }

    /// A value that writes itself as the encoder asks. The path names it in an error.
    private struct Node: Encodable {
        let value: Parameter
        let path: String

        func encode(to encoder: any Encoder) throws {
            switch value {
            case .dictionary(let members): try encode(members, to: encoder)
            case .array(let members): try encode(members, to: encoder)
            default: try encodeLeaf(to: encoder.singleValueContainer())
            }
        }

        private func encode(_ members: Parameters, to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: TextKey.self)
            for (name, value) in members {
                try container.encode(
                    Node(value: value, path: path.isEmpty ? name : "\(path).\(name)"),
                    forKey: TextKey(stringValue: name))
            }
        }

        private func encode(_ members: [Parameter], to encoder: any Encoder) throws {
            var container = encoder.unkeyedContainer()
            for (index, value) in members.enumerated() {
                try container.encode(Node(value: value, path: "\(path)[\(index)]"))
            }
        }

        private func encodeLeaf(to container: any SingleValueEncodingContainer) throws {
            var container = container
            switch value {
            case .bool(let value): try container.encode(value)
            case .integer(let value): try container.encode(value)
            case .unsigned(let value): try container.encode(value)
            case .number(let value): try container.encode(value)
            case .string(let value): try container.encode(value)
            case .data(let value): try container.encode(value)
            case .set: throw refusal("a property list has no sets: send an array")
            default: throw refusal("a property list has no null")
            }
        }

        private func refusal(_ reason: String) -> RequestSerializationError {
            .invalidParameters(path: path, reason: reason)
        }
    }
}
