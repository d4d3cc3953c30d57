import FoundationEssentials

extension QueryEncoding {
    /// A leaf of the parameters under its whole name, such as `outer[inner][]`. Nothing is escaped.
    struct Pair: Equatable {
        let name: String
        let value: Parameter
    }

    /// The leaves of the parameters, in the order they are written. An empty array, set or dictionary has none.
    func pairs(_ parameters: Parameters) -> [Pair] {
        ordered(parameters).flatMap { pairs(name: $0.name, value: $0.value) }
    }

    private func pairs(name: String, value: Parameter) -> [Pair] {
        switch value {
        case .dictionary(let members):
            ordered(members).flatMap { pairs(name: nested(name, $0.name), value: $0.value) }
        case .array(let members):
            members.enumerated().flatMap { pairs(name: indexed(name, $0.offset), value: $0.element) }
        case .set(let members):
            sorted(members).flatMap { pairs(name: name, value: $0) }
        case .null where nulls == .dropped:
            []
        default:
            [Pair(name: name, value: value)]
        }
    }

    private func nested(_ outer: String, _ inner: String) -> String {
        switch nesting {
        case .brackets: "\(outer)[\(inner)]"
        case .dots: "\(outer).\(inner)"
        case .named(let names): names.name(outer, inner)
        }
    }

    private func indexed(_ name: String, _ index: Int) -> String {
        switch arrays {
        case .brackets: "\(name)[]"
        case .none: name
        case .index: "\(name)[\(index)]"
        case .named(let names): names.name(name, index)
        }
    }

    private func ordered(_ parameters: Parameters) -> [Parameters.Element] {
        switch keyOrder {
        case .sorted: parameters.sorted { $0.name.precedes($1.name) }
        case .given: Array(parameters)
        }
    }

    /// A set has no order of its own: by text, and where members are trees by what they would be written as.
    private func sorted(_ members: Set<Parameter>) -> [Parameter] {
        members.map { (key: sortKey($0), member: $0) }
            .sorted { $0.key.precedes($1.key) }
            .map(\.member)
    }

    private func sortKey(_ member: Parameter) -> String {
        pairs(name: "", value: member).map { $0.name + (text(of: $0.value) ?? "") }.joined(separator: "&")
    }

    /// A leaf as text, or nil where its name stands alone.
    func text(of leaf: Parameter) -> String? {
        switch leaf {
        case .null: nulls == .keyAlone ? nil : ""
        case .bool(let value) where booleans == .numeric: value ? "1" : "0"
        default: leaf.text
        }
    }
}

extension Parameter {
    /// A leaf as text; a number that is whole is written without a fraction.
    var text: String {
        switch self {
        case .bool(let value): value.description
        case .integer(let value): value.description
        case .unsigned(let value): value.description
        case .number(let value): Int64(exactly: value)?.description ?? value.description
        case .string(let value): value
        case .data(let value): value.base64EncodedString()
        case .null, .array, .set, .dictionary: ""
        }
    }
}
