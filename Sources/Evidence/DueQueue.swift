internal import EventLoop
internal import HeapModule

/// What is due when. An entry that is out of date is recognized by its owner when it comes up.
struct DueQueue: Sendable {
    enum Item: Hashable, Sendable {
        case turn(Int)
        case late(UInt64, Int)
        case round(Int)
        case rotation(Int)
        case gap(Int)
        case name(Int)
        case inquiry(UInt64)
        case sweep
        case portal
        case publish
        case overdue(UInt64)
        case renewal(UInt64)
        case touch(host: Int, way: Int)
    }

    private struct Entry: Comparable {
        let time: MonotonicTime
        let number: UInt64
        let item: Item

        static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.time, lhs.number) < (rhs.time, rhs.number) }
        static func == (lhs: Entry, rhs: Entry) -> Bool { lhs.number == rhs.number }
    }

    private var heap = Heap<Entry>()
    private var number: UInt64 = 0
    /// How many were left when it was tidied last.
    private var kept = 0

    mutating func add(_ item: Item, at time: MonotonicTime) {
        number += 1
        heap.insert(Entry(time: time, number: number, item: item))
    }

    var next: MonotonicTime? { heap.min?.time }
    var count: Int { heap.count }

    /// Drops what comes first as long as it is out of date.
    mutating func prune(while isStale: (Item, MonotonicTime) -> Bool) {
        while let first = heap.min, isStale(first.item, first.time) { _ = heap.popMin() }
    }

    /// Drops all that is out of date, once there is much: what was put off stands behind what comes first, for as long
    /// as its interval lasts. As many as were left have to come before it is done again, so that it costs each of them
    /// little.
    ///
    /// - Parameter most: So many are left alone in any case.
    mutating func tidy(beyond most: Int, dropping isStale: (Item, MonotonicTime) -> Bool) {
        guard heap.count > max(most, 2 * kept) else { return }
        heap.removeAll { isStale($0.item, $0.time) }
        kept = heap.count
    }

    mutating func take(until now: MonotonicTime) -> Item? {
        guard let first = heap.min, first.time <= now else { return nil }
        return heap.popMin()?.item
    }
}
