internal import NetworkAddress

/// The hosts by numbers, which are used again: a name server may tell of other addresses each time.
struct HostTable: RandomAccessCollection, Sendable {
    private struct Key: Hashable {
        let address: IPAddress
        let way: Int
    }

    private var states: [HostState] = []
    private var numbers: [Key: Int] = [:]
    /// Those that belonged to no target when they were put here, the first ones first.
    private var unowned: ArraySlice<Int> = []
    private var free: [Int] = []

    var startIndex: Int { states.startIndex }
    var endIndex: Int { states.endIndex }

    // Not read in place: see WayTable.
    subscript(number: Int) -> HostState {
        get { states[number] }
        _modify { yield &states[number] }
    }

    /// The number of the host at an address by a way; nil where it has none.
    func index(of address: IPAddress, by way: Int) -> Int? { numbers[Key(address: address, way: way)] }

    /// Whether the number is one of a host, and not free.
    func isKnown(_ number: Int) -> Bool { numbers[key(of: number)] == number }

    /// Gives a number to a host that has none, and belongs to no target.
    mutating func add(_ address: IPAddress, by way: Int) -> Int {
        let number = free.popLast() ?? states.count
        let new = HostState(address: address, way: way)
        if number == states.count { states.append(new) } else { states[number] = new }
        numbers[key(of: number)] = number
        unowned.append(number)
        return number
    }

    mutating func remove(_ number: Int) {
        // It may stand twice among those that belong to no target.
        guard isKnown(number) else { return }
        numbers[key(of: number)] = nil
        free.append(number)
    }

    /// Notes that a target was asked at a host.
    mutating func give(_ number: Int, to target: Int) { states[number].targets.append(target) }

    /// Notes that a target is not to be asked at a host any more.
    mutating func take(_ number: Int, from target: Int) {
        states[number].targets.removeAll { $0 == target }
        if states[number].targets.isEmpty { unowned.append(number) }
    }

    /// Keeps one longer that belongs to no target.
    mutating func keep(_ number: Int) { unowned.append(number) }

    /// Takes out the half of those that have belonged to no target for longest, where these are too many.
    mutating func takeUnowned() -> [Int] {
        guard unowned.count > Rules.unowned else { return [] }
        let longest = Array(unowned.prefix(Rules.unowned / 2))
        unowned.removeFirst(longest.count)
        return longest.filter { states[$0].targets.isEmpty && isKnown($0) }
    }

    /// Other targets are watched from now on: none belongs to any.
    mutating func forgetTargets() {
        unowned = ArraySlice(states.indices)
        for number in states.indices { states[number].targets = [] }
    }

    private func key(of number: Int) -> Key { Key(address: states[number].address, way: states[number].way) }
}
