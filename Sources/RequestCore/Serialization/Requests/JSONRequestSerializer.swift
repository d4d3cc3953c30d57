import FoundationEssentials
public import JSON
import RequestEngine

/// Sends parameters as JSON; those of methods without a body stand in the query.
public struct JSONRequestSerializer: RequestSerializer {
    public var base: HTTPRequestSerializer
    public var options: JSONWritingOptions

    public init(base: HTTPRequestSerializer = HTTPRequestSerializer(), options: JSONWritingOptions = .init()) {
        self.base = base
        self.options = options
    }

    /// Without parameters there is no body and no `Content-Type`.
    public func serialize(
        _ parameters: Parameters?, into request: Request
    ) throws(RequestSerializationError) -> Request {
        if base.encodesInURL(request.method) { return try base.serialize(parameters, into: request) }
        guard let parameters else { return base.prepare(request) }
        return try serialize(.dictionary(parameters), into: request)
    }

    /// A request whose body is this tree: a dictionary or an array, whatever the method.
    public func serialize(
        _ parameter: Parameter, into request: Request
    ) throws(RequestSerializationError) -> Request {
        switch parameter {
        case .dictionary, .array: break
        default: throw .invalidParameters(path: "at the top", reason: "a JSON body is a dictionary or an array")
        }
        var serialized = base.prepare(request)
        serialized.body = .data(Data(try parameter.json(path: "").text(options: options).utf8))
        serialized.headers.setDefault("Content-Type", to: "application/json")
        return serialized
    }
}

extension Parameter {
    /// The tree as JSON. The path names this value in an error.
    fileprivate func json(path: String) throws(RequestSerializationError) -> JSONValue {
        switch self {
        case .null: return .null
        case .bool(let value): return .bool(value)
        case .integer(let value): return .integer(value)
        case .unsigned(let value): return .unsigned(value)
        case .number(let value) where value.isFinite:
            return Int64(exactly: value).map(JSONValue.integer) ?? .number(value)
        case .string(let value): return .string(value)
        case .array(let members): return .array(try Self.json(members, path: path))
        case .dictionary(let members): return .object(try Self.json(members, path: path))
        case .number(let value): throw .invalidParameters(path: path, reason: "JSON has no number \(value)")
        case .set: throw .invalidParameters(path: path, reason: "JSON has no sets: send an array")
        case .data: throw .invalidParameters(path: path, reason: "JSON has no data: send it in base64")
        }
    }

    private static func json(_ members: [Parameter], path: String) throws(RequestSerializationError) -> [JSONValue] {
        var elements: [JSONValue] = []
        for (index, member) in members.enumerated() { elements.append(try member.json(path: "\(path)[\(index)]")) }
        return elements
    }

    private static func json(_ members: Parameters, path: String) throws(RequestSerializationError) -> JSONObject {
        var object = JSONObject()
        for (name, value) in members {
            object[name] = try value.json(path: path.isEmpty ? name : "\(path).\(name)")
        }
        return object
    }
}
