import TestSupport

/// Any value, encoded in one of the ways that types have for it.
indirect enum Tree: Encodable, Equatable {
    case nothing
    case bool(Bool)
    case whole(Int64)
    case number(Double)
    case text(String)
    case array([Tree])
    /// An object by a dictionary.
    case object([String: Tree])
    /// An object and an array within one container of the same value.
    case nested([String: Tree], [Tree])

    func encode(to encoder: any Encoder) throws {
        switch self {
        case .nothing:
            var container = encoder.singleValueContainer()
            try container.encodeNil()
        case .bool(let value): try value.encode(to: encoder)
        case .whole(let value): try value.encode(to: encoder)
        case .number(let value): try value.encode(to: encoder)
        case .text(let value): try value.encode(to: encoder)
        case .array(let values): try values.encode(to: encoder)
        case .object(let members): try members.encode(to: encoder)
        case .nested(let members, let values): try encode(members, values, to: encoder)
        }
    }

    private func encode(_ members: [String: Tree], _ values: [Tree], to encoder: any Encoder) throws {
        var outer = encoder.container(keyedBy: AnyKey.self)
        var inner = outer.nestedContainer(keyedBy: AnyKey.self, forKey: AnyKey("members"))
        for (key, value) in members { try inner.encode(value, forKey: AnyKey(key)) }
        try outer.encodeIfPresent(values.first, forKey: AnyKey("first"))
        var list = outer.nestedUnkeyedContainer(forKey: AnyKey("list"))
        for value in values { try list.encode(value) }
        var deep = list.nestedContainer(keyedBy: AnyKey.self)
        try deep.encode(list.count, forKey: AnyKey("count"))
        try deep.encodeNil(forKey: AnyKey("a"))
    }

    private struct AnyKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ text: String) { stringValue = text }
        init?(stringValue: String) { self.init(stringValue) }
        init?(intValue: Int) { nil }
    }
}

extension Tree {
    static func random(depth: Int, using generator: inout SeededGenerator) -> Tree {
        switch Int.random(in: 0..<(depth > 0 ? 8 : 5), using: &generator) {
        case 0: .nothing
        case 1: .bool(.random(using: &generator))
        case 2: .whole(Int64.random(in: .min ... .max, using: &generator) >> Int.random(in: 0..<64, using: &generator))
        case 3: .number(randomNumber(using: &generator))
        case 4: .text(randomText(using: &generator))
        case 5: .array(randomValues(depth: depth, using: &generator))
        case 6: .object(randomMembers(depth: depth, using: &generator))
        default:
            .nested(
                randomMembers(depth: depth, using: &generator), randomValues(depth: depth, using: &generator))
        }
    }

    private static func randomValues(depth: Int, using generator: inout SeededGenerator) -> [Tree] {
        (0..<Int.random(in: 0..<5, using: &generator)).map { _ in random(depth: depth - 1, using: &generator) }
    }

    private static func randomMembers(depth: Int, using generator: inout SeededGenerator) -> [String: Tree] {
        var members: [String: Tree] = [:]
        for _ in 0..<Int.random(in: 0..<12, using: &generator) {
            members[randomText(using: &generator)] = random(depth: depth - 1, using: &generator)
        }
        return members
    }

    private static func randomNumber(using generator: inout SeededGenerator) -> Double {
        let number = Double(bitPattern: .random(in: 0 ... .max, using: &generator))
        return number.isFinite ? number : Double(Int.random(in: -1000...1000, using: &generator)) / 8
    }

    /// Often the beginning of another, and with all that needs an escape.
    private static func randomText(using generator: inout SeededGenerator) -> String {
        let letters: [Character] = [
            "a", "b", "A", "_", "1", "/", "\"", "\\", "\n", "\u{1}", "\u{1F}", "é", "😀", "\u{2028}", " ",
        ]
        let common = Bool.random(using: &generator) ? "interface" : ""
        let own = (0..<Int.random(in: 0..<6, using: &generator)).compactMap { _ in
            letters.randomElement(using: &generator)
        }
        return common + String(own)
    }
}
