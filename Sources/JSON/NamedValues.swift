internal import OrderedCollections

/// Names with values, in the order they were given: what a JSON object and the parameters of a request have in common.
/// A name stands once; equal are those with the same pairs in the same order.
public struct NamedValues<Value> {
    private var values: OrderedDictionary<String, Value>

    public init() {
        values = [:]
    }

    /// The pairs in their order; of a name that comes twice the later value counts, at the earlier place.
    public init(_ pairs: some Sequence<(String, Value)>) {
        values = OrderedDictionary(pairs) { $1 }
    }

    /// The value of a name. Setting a new name adds it at the end; setting nil removes the name.
    public subscript(name: String) -> Value? {
        get { values[name] }
        set { values[name] = newValue }
    }

    /// The names in order.
    public var names: [String] { Array(values.keys) }

    /// The same names with other values; those for which there is none are left out.
    public func compactMapValues<Other, Failure>(
        _ transform: (Value) throws(Failure) -> Other?
    ) throws(Failure) -> NamedValues<Other> {
        var others = NamedValues<Other>()
        for (name, value) in values { others[name] = try transform(value) }
        return others
    }
}

extension NamedValues: RandomAccessCollection {
    public var startIndex: Int { 0 }
    public var endIndex: Int { values.count }

    public subscript(position: Int) -> (name: String, value: Value) {
        let (key, value) = values.elements[position]
        return (key, value)
    }
}

extension NamedValues: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Value)...) {
        self.init(elements)
    }
}

extension NamedValues: Sendable where Value: Sendable {}
extension NamedValues: Equatable where Value: Equatable {}
extension NamedValues: Hashable where Value: Hashable {}
