/// The pools of a session, one for each kind of connection. Those that were not used for long make room for new kinds, so
/// that policies, interfaces and addresses without end do not take descriptors without end.
struct ConnectionPools {
    private var pools: [Int: ConnectionPool] = [:]
    private var numbers: [ConnectionPool.Key: Int] = [:]
    private var latest: ConnectionPool?
    private var lastUses: [Int: UInt64] = [:]
    private var useCount: UInt64 = 0
    private var nextNumber = 0
    /// How many may be there before idle ones have to go.
    static let limit = 32

    var all: some Collection<ConnectionPool> { pools.values }

    /// How many transfers run in all of them.
    var runningCount: Int { pools.values.reduce(0) { $0 + $1.runningCount } }

    subscript(number: Int) -> ConnectionPool? { pools[number] }

    func pool(running id: Transfer.ID) -> ConnectionPool? {
        pools.values.first { $0.runs(id) }
    }

    /// The pool for a kind of connection, made where there is none.
    mutating func pool(
        for key: ConnectionPool.Key,
        make: (ConnectionPool.Key, _ number: Int) throws(RequestError) -> ConnectionPool
    ) throws(RequestError) -> ConnectionPool {
        // Mostly it is the one that was used last, and comparing is quicker than hashing a policy.
        if let latest, latest.key == key { return latest }
        if let number = numbers[key], let pool = pools[number] {
            noteUse(of: pool, number)
            return pool
        }
        let number = nextNumber
        let pool = try make(key, number)
        removeOutdated(by: key)
        insert(pool, number)
        noteUse(of: pool, number)
        return pool
    }

    /// Closes what no request uses now.
    mutating func removeIdle() {
        for (number, pool) in pools where pool.isIdle { remove(number) }
    }

    private mutating func noteUse(of pool: ConnectionPool, _ number: Int) {
        useCount += 1
        lastUses[number] = useCount
        latest = pool
    }

    private mutating func insert(_ pool: ConnectionPool, _ number: Int) {
        if pools.count >= Self.limit { removeLeastUsed() }
        nextNumber += 1
        pools[number] = pool
        numbers[pool.key] = number
    }

    /// Closes what no request is to use any more: connections to servers that what evaluates now has not accepted.
    private mutating func removeOutdated(by key: ConnectionPool.Key) {
        for (number, pool) in pools where pool.isIdle && key.replaces(pool.key) { remove(number) }
    }

    private mutating func removeLeastUsed() {
        let idle = pools.filter(\.value.isIdle).keys
        if let number = idle.min(by: { lastUses[$0, default: 0] < lastUses[$1, default: 0] }) { remove(number) }
    }

    private mutating func remove(_ number: Int) {
        guard let pool = pools.removeValue(forKey: number) else { return }
        numbers[pool.key] = nil
        lastUses[number] = nil
        if latest === pool { latest = nil }
    }
}
