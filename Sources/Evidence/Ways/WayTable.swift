/// The ways by numbers, which are used again: a network may tell of other routers each day.
struct WayTable: RandomAccessCollection, Sendable {
    private var states: [WayState] = []
    private var numbers: [Way: Int] = [:]
    private var free: [Int] = []

    var startIndex: Int { states.startIndex }
    var endIndex: Int { states.endIndex }

    // No element is read in place (`_read`): what Swift 6.3 makes of that without optimization releases a part of a large element
    // through a pointer into memory that is gone by then.
    subscript(number: Int) -> WayState {
        get { states[number] }
        _modify { yield &states[number] }
    }

    /// How many have a number.
    var known: Int { states.count - free.count }

    /// A way's number; nil where it has none.
    func index(of way: Way) -> Int? { numbers[way] }

    /// Whether the number is one of a way, and not free.
    func isKnown(_ number: Int) -> Bool { numbers[states[number].way] == number }

    /// Gives a number to a way that has none.
    mutating func add(_ way: Way) -> Int {
        let number = free.popLast() ?? states.count
        if number == states.count {
            states.append(WayState(way))
        } else {
            // In another generation, so that what targets found over the way before it is not taken for found over this one.
            states[number] = WayState(way, generation: states[number].generation + 1)
        }
        numbers[way] = number
        return number
    }

    mutating func remove(_ number: Int) {
        numbers[states[number].way] = nil
        free.append(number)
    }

    /// An interface has another name: what is known of its ways still holds.
    ///
    /// - Returns: Whether no other has that name.
    mutating func rename(_ interface: String, to new: String) -> Bool {
        guard !numbers.keys.contains(where: { $0.interface == new }) else { return false }
        for number in states.indices where isKnown(number) && states[number].way.interface == interface {
            numbers[states[number].way] = nil
            states[number].rename(to: new)
            numbers[states[number].way] = number
        }
        return true
    }

    /// Other targets are watched from now on: what was found of the old ones is not to be counted.
    mutating func forgetTargets() {
        for number in states.indices { states[number].forgetTargets() }
    }
}
