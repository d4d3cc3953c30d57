public import FoundationEssentials
public import JSON

/// The parameters of a request: names with values.
public typealias Parameters = NamedValues<Parameter>

/// One value of a request's parameters: a leaf, or a tree of them. Literals make it: `["page": 2, "tags": ["a", "b"]]`.
public enum Parameter: Hashable, Sendable {
    /// In a query the key alone; in JSON `null`; in a form an empty part.
    case null
    case bool(Bool)
    case integer(Int64)
    case unsigned(UInt64)
    case number(Double)
    case string(String)
    /// In a query base64; in a form its bytes; in a property list data. JSON has none.
    case data(Data)
    case array([Parameter])
    /// In a query its key repeated without brackets, the members sorted. JSON has none.
    case set(Set<Parameter>)
    case dictionary(Parameters)
}

extension Parameter: ExpressibleByNilLiteral, ExpressibleByBooleanLiteral, ExpressibleByIntegerLiteral {
    public init(nilLiteral: ()) { self = .null }
    public init(booleanLiteral value: Bool) { self = .bool(value) }
    public init(integerLiteral value: Int64) { self = .integer(value) }
}

extension Parameter: ExpressibleByFloatLiteral, ExpressibleByStringInterpolation {
    public init(floatLiteral value: Double) { self = .number(value) }
    public init(stringLiteral value: String) { self = .string(value) }
}

extension Parameter: ExpressibleByArrayLiteral, ExpressibleByDictionaryLiteral {
    public init(arrayLiteral elements: Parameter...) { self = .array(elements) }
    public init(dictionaryLiteral elements: (String, Parameter)...) { self = .dictionary(Parameters(elements)) }
}

extension Parameter {
    /// A whole number of any width that fits 64 bits; a wider one becomes its digits.
    public init(_ value: some BinaryInteger) {
        if let value = Int64(exactly: value) {
            self = .integer(value)
        } else if let value = UInt64(exactly: value) {
            self = .unsigned(value)
        } else {
            self = .string(value.description)
        }
    }

    public init(_ value: some StringProtocol) { self = .string(String(value)) }

    public init(_ value: Bool) { self = .bool(value) }

    public init(_ value: Double) { self = .number(value) }

    public init(_ value: Data) { self = .data(value) }
}
