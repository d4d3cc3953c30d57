/// Keeps values up to a total cost. Once it is exceeded, those that were not used for the longest time are dropped, until
/// a lower mark is reached.
public struct CostCache<Key: Hashable, Value> {
    fileprivate struct Entry {
        var value: Value
        var cost: Int
        var lastAccess: UInt64
    }

    public let capacity: Int
    /// To which usage a purge goes down.
    public let usageAfterPurge: Int
    /// The cost of all values now.
    public private(set) var usage = 0
    private var entries: [Key: Entry] = [:]
    private var accesses: UInt64 = 0

    /// The defaults are AFNetworking's: 100 MiB, purged to 60 MiB.
    public init(capacity: Int = 100 << 20, usageAfterPurge: Int? = nil) {
        self.capacity = capacity
        self.usageAfterPurge = usageAfterPurge ?? capacity / 10 * 6
    }

    public var count: Int { entries.count }

    /// The value of a key, which counts as a use.
    public mutating func value(for key: Key) -> Value? {
        guard entries[key] != nil else { return nil }
        accesses += 1
        entries[key]?.lastAccess = accesses
        return entries[key]?.value
    }

    /// Keeps a value in the place of the key's former one, and returns the keys that were dropped for it. A cost below zero
    /// counts as none.
    @discardableResult
    public mutating func insert(_ value: Value, for key: Key, cost: Int) -> [Key] {
        remove(key)
        accesses += 1
        // The sum never overflows, whatever a caller reckons.
        let cost = min(max(0, cost), .max - usage)
        entries[key] = Entry(value: value, cost: cost, lastAccess: accesses)
        usage += cost
        return usage > capacity ? purge() : []
    }

    /// Drops a value; tells whether there was one.
    @discardableResult
    public mutating func remove(_ key: Key) -> Bool {
        guard let entry = entries.removeValue(forKey: key) else { return false }
        usage -= entry.cost
        return true
    }

    public mutating func removeAll() {
        entries = [:]
        usage = 0
    }

    private mutating func purge() -> [Key] {
        var dropped: [Key] = []
        for (key, _) in entries.sorted(by: { $0.value.lastAccess < $1.value.lastAccess }) {
            guard usage > usageAfterPurge else { break }
            remove(key)
            dropped.append(key)
        }
        return dropped
    }
}

extension CostCache.Entry: Sendable where Value: Sendable {}
extension CostCache: Sendable where Key: Sendable, Value: Sendable {}
