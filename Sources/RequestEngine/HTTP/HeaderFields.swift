/// The fields of a header: in their order, with names that compare without regard to case and keep their spelling.
///
/// Any text can be held; `validate()` tells whether it may go on the wire, and a session asks it before it sends.
/// Looking up a name walks the fields, which for the usual dozen is quicker than hashing.
public struct HeaderFields: Hashable, Sendable {
    private var fields: [Field]

    public init() {
        fields = []
    }

    public init(_ fields: some Sequence<Field>) {
        self.fields = Array(fields)
    }

    /// The value of a field, or nil where there is none; several of one name are joined with `, `
    /// (RFC 9110 section 5.3). Use `values(of:)` for `Set-Cookie`, which cannot be joined.
    ///
    /// Setting replaces every field of the name, at the place of the first; setting nil removes them.
    public subscript(name: String) -> String? {
        get {
            let values = values(of: name)
            return values.isEmpty ? nil : values.joined(separator: ", ")
        }
        set {
            if let newValue { set(name, to: newValue) } else { remove(name) }
        }
    }

    /// The values of every field of a name, in order.
    public func values(of name: String) -> [String] {
        fields.lazy.filter { $0.isNamed(name) }.map(\.value)
    }

    /// Whether there is a field of the name.
    public func contains(name: String) -> Bool {
        fields.contains { $0.isNamed(name) }
    }

    /// Adds a field after the others, also where there is one of the name.
    public mutating func append(_ name: String, _ value: String) {
        fields.append(Field(name: name, value: value))
    }

    mutating func append(_ field: Field) {
        // As many as answers usually have: the array does not grow on the way.
        if fields.isEmpty { fields.reserveCapacity(12) }
        fields.append(field)
    }

    mutating func replaceLast(by field: Field) {
        fields[fields.count - 1] = field
    }

    /// Replaces every field of the name by one, at the place of the first, or adds it at the end.
    public mutating func set(_ name: String, to value: String) {
        let field = Field(name: name, value: value)
        guard let first = fields.firstIndex(where: { $0.isNamed(name) }) else { return fields.append(field) }
        fields[first] = field
        let rest = first + 1
        fields[rest...].removeAll { $0.isNamed(name) }
    }

    /// Adds the field unless there is one of the name already.
    public mutating func setDefault(_ name: String, to value: String) {
        if !contains(name: name) { append(name, value) }
    }

    /// Removes every field of the name.
    public mutating func remove(_ name: String) {
        fields.removeAll { $0.isNamed(name) }
    }

    /// These fields with others laid over them: each name of the others replaces what stands here.
    public func merging(_ others: HeaderFields) -> HeaderFields {
        // A server may send ten thousands of them, and walking them for each would take minutes.
        let names = others.count > Self.few ? Set(others.map { $0.name.lowercased() }) : nil
        let kept = fields.filter { field in
            !(names?.contains(field.name.lowercased()) ?? others.contains(name: field.name))
        }
        return HeaderFields(kept + others.fields)
    }

    /// Up to how many fields walking is quicker than hashing.
    private static let few = 32

    /// Whether these are the same bytes on the wire: equal fields, in the same spelling.
    func isSpelled(like others: HeaderFields) -> Bool {
        fields.elementsEqual(others.fields) {
            $0.name.isSpelled(like: $1.name) && $0.value.isSpelled(like: $1.value)
        }
    }

    /// Checks that every field may go on the wire.
    public func validate() throws(HTTPMessageError) {
        for field in fields { try field.validate() }
    }
}

extension HeaderFields: RandomAccessCollection {
    public var startIndex: Int { fields.startIndex }
    public var endIndex: Int { fields.endIndex }
    public subscript(position: Int) -> Field { fields[position] }
}

extension HeaderFields: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, String)...) {
        fields = elements.map(Field.init)
    }
}

extension HeaderFields: CustomStringConvertible {
    /// One `Name: value` a line. Credentials are not hidden: `redacted` hides them.
    public var description: String {
        fields.map(\.description).joined(separator: "\n")
    }
}
