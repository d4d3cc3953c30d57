import FoundationEssentials

/// The `Encoder` behind `ParameterEncoder`: values write themselves into a `Node`, which then becomes a tree.
struct TreeEncoder: Encoder {
    let style: ParameterEncoder
    let codingPath: [any CodingKey]
    let userInfo: [CodingUserInfoKey: Any] = [:]
    let node = TreeNode()

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedEncodingContainer<Key> {
        node.shape = .dictionary
        return KeyedEncodingContainer(KeyedTreeContainer<Key>(encoder: self))
    }

    func unkeyedContainer() -> any UnkeyedEncodingContainer {
        node.shape = .array
        return UnkeyedTreeContainer(encoder: self)
    }

    func singleValueContainer() -> any SingleValueEncodingContainer {
        SingleTreeContainer(encoder: self)
    }

    /// An encoder for a member under a key.
    func nested(_ key: some CodingKey) -> TreeEncoder {
        TreeEncoder(style: style, codingPath: codingPath + [key])
    }

    /// The tree of a value: a leaf where the kind of value is known here, else what it writes of itself.
    func encode(any value: some Encodable) throws -> Parameter {
        try encode(node: value).parameter
    }

    func encode(node value: some Encodable) throws -> TreeNode {
        if let leaf = try leaf(value) { return TreeNode(leaf) }
        let encoder = TreeEncoder(style: style, codingPath: codingPath)
        if let members = value as? [String: any Encodable] { return try encoder.encode(members) }
        try value.encode(to: encoder)
        return encoder.node
    }

    /// The keys of a dictionary are data, not declared names: they are written as they are, in an order that stays.
    private func encode(_ members: [String: any Encodable]) throws -> TreeNode {
        node.shape = .dictionary
        for (name, value) in members.sorted(by: { $0.key < $1.key }) { node.append(try encode(node: value), name) }
        return node
    }

    private func leaf(_ value: some Encodable) throws -> Parameter? {
        switch value {
        case let value as any Parameter.Leaf: value.asParameter
        case let value as Date: try leaf(value)
        case let value as Data: try leaf(value)
        case let value as URL: .string(value.absoluteString)
        case let value as Decimal: Self.number(value)
        default: nil
        }
    }

    /// A number where it has the same digits, so that a query has them in any case, and the digits as text elsewhere: a
    /// `Double` would round, or be written with an exponent.
    private static func number(_ value: Decimal) -> Parameter {
        let digits = value.description
        if let whole = Int64(digits) { return .integer(whole) }
        if let whole = UInt64(digits) { return .unsigned(whole) }
        guard let number = Double(digits), number.isFinite, Parameter.number(number).text == digits else {
            return .string(digits)
        }
        return .number(number)
    }

    private func leaf(_ date: Date) throws -> Parameter? {
        switch style.dates {
        case .deferred: nil
        case .seconds: .number(date.timeIntervalSince1970)
        case .milliseconds: .number((date.timeIntervalSince1970 * 1000).rounded())
        case .iso8601: .string(date.formatted(.iso8601))
        case .custom(let write): try write(date)
        }
    }

    private func leaf(_ data: Data) throws -> Parameter? {
        switch style.data {
        case .deferred: nil
        case .data: .data(data)
        case .base64: .string(data.base64EncodedString())
        case .custom(let write): try write(data)
        }
    }
}
