import EventLoop

/// The latest changes, of which one explains a change of the path. Bounded: a storm keeps its weightiest and latest.
struct Explanation: Sendable {
    private static let limit = 32

    private var changes: [StateChange] = []
    private var isSpent = false
    /// When the first of the changes was read.
    private(set) var time: MonotonicTime?

    /// Notes a change. Those of before the last look are forgotten: what they could explain has been seen.
    mutating func add(_ change: StateChange, at time: MonotonicTime) {
        if isSpent { self = Explanation() }
        self.time = self.time ?? time
        changes.append(change)
        guard changes.count > Self.limit,
            let weakest = changes.indices.min(by: { changes[$0].weight < changes[$1].weight })
        else { return }
        changes.remove(at: weakest)
    }

    /// Notes that the path has been looked at since the last change.
    ///
    /// The changes stay for what the kernel still does on their account without another message.
    mutating func spend() {
        isSpent = true
    }

    /// The change that explains how one path became another: the weightiest of those about an interface that either uses.
    func cause(from old: Path, to new: Path) -> Cause? {
        let involved = [
            old.ipv4.interfaceIndex, old.ipv6.interfaceIndex, new.ipv4.interfaceIndex, new.ipv6.interfaceIndex,
        ]
        let about = changes.indices.filter { place in changes[place].index.map { involved.contains($0) } ?? true }
        let heaviest = (about.isEmpty ? Array(changes.indices) : about)
            .max { (changes[$0].weight, $0) < (changes[$1].weight, $1) }
        return heaviest.map { changes[$0].cause }
    }
}
