/// The JSON of values that come again and again within larger ones, such as interfaces in event after event: what has not
/// changed since is not encoded anew.
public struct JSONFragments: Sendable {
    private var shelves: [any FragmentShelf] = []

    public init() {}

    /// Keeps the JSON of the latest different values of a type.
    ///
    /// - Parameter count: How many. Each value of the type is compared with so many at most.
    public mutating func keep<Value: Encodable & Equatable & Sendable>(_ type: Value.Type, latest count: Int) {
        shelves.append(Shelf<Value>(capacity: count))
    }

    /// Where values of a type are kept; nil for types that are not.
    func shelf(for type: any Any.Type) -> Int? {
        shelves.firstIndex { $0.type == type }
    }

    /// The JSON of an equal value.
    func bytes(of value: some Encodable, on shelf: Int) -> [UInt8]? {
        shelves[shelf].bytes(of: value)
    }

    mutating func put(_ bytes: [UInt8], of value: some Encodable, on shelf: Int) {
        shelves[shelf].put(bytes, of: value)
    }
}

private protocol FragmentShelf: Sendable {
    var type: any Any.Type { get }
    func bytes(of value: some Encodable) -> [UInt8]?
    mutating func put(_ bytes: [UInt8], of value: some Encodable)
}

/// The latest values of one type, in a ring.
private struct Shelf<Value: Encodable & Equatable & Sendable>: FragmentShelf {
    let capacity: Int
    private var fragments: [(value: Value, bytes: [UInt8])] = []
    private var next = 0

    init(capacity: Int) {
        self.capacity = max(capacity, 1)
    }

    var type: any Any.Type { Value.self }

    func bytes(of value: some Encodable) -> [UInt8]? {
        guard let value = value as? Value else { return nil }
        return fragments.first { $0.value == value }?.bytes
    }

    mutating func put(_ bytes: [UInt8], of value: some Encodable) {
        guard let value = value as? Value else { return }
        guard fragments.count == capacity else { return fragments.append((value, bytes)) }
        fragments[next] = (value, bytes)
        next = (next + 1) % capacity
    }
}
