extension Cause {
    /// Names with their values, each name once, in the order of the names' bytes.
    ///
    /// There are so few that going through them takes less than to hash one name.
    public struct Fields: Hashable, Sendable {
        private struct Field: Hashable, Sendable {
            let name: String
            var value: String
        }

        private var fields: [Field] = []

        public init() {}

        /// The value of a name; nil where there is none.
        public subscript(name: String) -> String? {
            get { fields.first { $0.name == name }?.value }
            set {
                if let place = fields.firstIndex(where: { $0.name == name }) {
                    if let newValue { fields[place].value = newValue } else { fields.remove(at: place) }
                } else if let newValue {
                    insert(Field(name: name, value: newValue))
                }
            }
        }

        /// Adds a name that comes after all others in the order of the names' bytes.
        mutating func append(_ name: String, _ value: String) {
            fields.append(Field(name: name, value: value))
        }

        mutating func reserveCapacity(_ count: Int) {
            fields.reserveCapacity(count)
        }

        /// Most come in their order.
        private mutating func insert(_ field: Field) {
            var place = fields.count
            while place > 0, field.name.utf8.lexicographicallyPrecedes(fields[place - 1].name.utf8) { place -= 1 }
            fields.insert(field, at: place)
        }
    }
}

extension Cause.Fields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields.reserveCapacity(elements.count + 3)
        for (name, value) in elements { self[name] = value }
    }
}

extension Cause.Fields: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { fields.count }

    public subscript(position: Int) -> (name: String, value: String) {
        (fields[position].name, fields[position].value)
    }
}

extension Cause.Fields: Codable {
    public init(from decoder: any Decoder) throws {
        for (name, value) in try [String: String](from: decoder) { self[name] = value }
    }

    public func encode(to encoder: any Encoder) throws {
        try Dictionary(uniqueKeysWithValues: map { ($0.name, $0.value) }).encode(to: encoder)
    }
}
