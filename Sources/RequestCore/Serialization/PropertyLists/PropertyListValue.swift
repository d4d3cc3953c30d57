public import FoundationEssentials

/// A property list as a tree.
public enum PropertyListValue: Hashable, Sendable {
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    case date(Date)
    case data(Data)
    case array([PropertyListValue])
    case dictionary([String: PropertyListValue])
}

extension PropertyListValue: Decodable {
    public init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let value = Self.leaf(container) {
            self = value
        } else if let members = try? container.decode([String: PropertyListValue].self) {
            self = .dictionary(members)
        } else {
            self = .array(try container.decode([PropertyListValue].self))
        }
    }

    private static func leaf(_ container: any SingleValueDecodingContainer) -> PropertyListValue? {
        if let value = try? container.decode(String.self) { return .string(value) }
        if let value = try? container.decode(Bool.self) { return .bool(value) }
        if let value = try? container.decode(Int64.self) { return .integer(value) }
        if let value = try? container.decode(UInt64.self) { return .unsigned(value) }
        if let value = try? container.decode(Double.self) { return .number(value) }
        if let value = try? container.decode(Date.self) { return .date(value) }
        if let value = try? container.decode(Data.self) { return .data(value) }
        return nil
    }
}
