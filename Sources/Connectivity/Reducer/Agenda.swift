internal import EventLoop
internal import HeapModule

/// Which check is due when. A check that is planned anew leaves its older entry behind, which its reader passes over.
struct Agenda: Sendable {
    struct Entry: Comparable, Sendable {
        let due: MonotonicTime
        let check: Int

        static func < (lhs: Entry, rhs: Entry) -> Bool { (lhs.due, lhs.check) < (rhs.due, rhs.check) }
    }

    private var entries = Heap<Entry>()

    var first: Entry? { entries.min }

    mutating func plan(_ check: Int, at due: MonotonicTime) {
        entries.insert(Entry(due: due, check: check))
    }

    mutating func removeFirst() {
        _ = entries.popMin()
    }
}
