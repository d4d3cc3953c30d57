import EventLoop

/// The latest changes, of which one explains a change of the path. Bounded: a storm keeps its weightiest and latest.
struct Explanation: Sendable {
    private static let limit = 32

    private struct Entry {
        let change: StateChange
        let weight: Int
        /// Counts up: the later of two has the greater one.
        let number: Int

        /// The weightier stays, and of two alike the later.
        var rank: (Int, Int) { (weight, number) }
    }

    /// In no order.
    private var entries: [Entry] = []
    private var count = 0
    private var isSpent = false
    /// When the first of the changes was read.
    private(set) var time: MonotonicTime?

    /// Notes a change. Those of before the last look are forgotten: what they could explain has been seen.
    mutating func add(_ change: StateChange, at time: MonotonicTime) {
        if isSpent { self = Explanation() }
        self.time = self.time ?? time
        count += 1
        let entry = Entry(change: change, weight: change.weight, number: count)
        guard entries.count == Self.limit else { return entries.append(entry) }
        guard let weakest = entries.indices.min(by: { entries[$0].rank < entries[$1].rank }),
            entries[weakest].rank < entry.rank
        else { return }
        entries[weakest] = entry
    }

    /// Notes that the path has been looked at since the last change.
    ///
    /// The changes stay for what the kernel still does on their account without another message.
    mutating func spend() {
        isSpent = true
    }

    /// The change that explains how one path became another: the weightiest of those about an interface that either uses,
    /// and only where there is none such the weightiest of all.
    func cause(from old: Path, to new: Path) -> Cause? {
        var best: (place: Int, isInvolved: Bool)?
        for place in entries.indices {
            let isInvolved = entries[place].change.index.map { old.uses($0) || new.uses($0) } ?? true
            if let best {
                guard isInvolved == best.isInvolved ? entries[place].rank > entries[best.place].rank : isInvolved
                else { continue }
            }
            best = (place, isInvolved)
        }
        return best.map { entries[$0.place].change.cause }
    }
}

extension Path {
    /// Whether a family leaves by this link, or would.
    fileprivate func uses(_ index: UInt32) -> Bool {
        ipv4.interfaceIndex == index || ipv6.interfaceIndex == index
    }
}
