/// The parameters of a request: names with values, in the order they were given. A name stands once.
public struct Parameters: Sendable {
    private var pairs: [(name: String, value: Parameter)]

    public init() {
        pairs = []
    }

    /// The pairs in their order; of a name that comes twice the later value counts, at the earlier place.
    public init(_ pairs: some Sequence<(String, Parameter)>) {
        self.pairs = []
        var places: [String: Int] = [:]
        for (name, value) in pairs {
            if let place = places[name] {
                self.pairs[place].value = value
            } else {
                places[name] = self.pairs.count
                self.pairs.append((name, value))
            }
        }
    }

    /// The value of a name. Setting nil removes the name; setting `.null` keeps it without a value.
    public subscript(name: String) -> Parameter? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let place = pairs.firstIndex { $0.name == name }
            switch (place, newValue) {
            case (let place?, let value?): pairs[place].value = value
            case (let place?, nil): pairs.remove(at: place)
            case (nil, let value?): pairs.append((name, value))
            case (nil, nil): break
            }
        }
    }
}

extension Parameters: RandomAccessCollection {
    public var startIndex: Int { pairs.startIndex }
    public var endIndex: Int { pairs.endIndex }
    public subscript(position: Int) -> (name: String, value: Parameter) { pairs[position] }
}

extension Parameters: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (String, Parameter)...) {
        self.init(elements)
    }
}

extension Parameters: Hashable {
    /// Equal where the same names have the same values in the same order.
    public static func == (one: Self, other: Self) -> Bool {
        one.elementsEqual(other) { $0 == $1 }
    }

    public func hash(into hasher: inout Hasher) {
        for pair in pairs {
            hasher.combine(pair.name)
            hasher.combine(pair.value)
        }
    }
}
