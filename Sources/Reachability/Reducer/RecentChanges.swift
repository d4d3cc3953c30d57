import EventLoop
import Netlink
import NetworkAddress

/// The latest changes, of which one explains a change of the path. Bounded: a storm keeps its weightiest and latest.
struct RecentChanges: Sendable {
    private static let limit = 32
    /// How long after the last of them the kernel may still do something on their account.
    private static let lifetime = Duration.seconds(30)

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
    /// When the last of them was.
    private var latest: MonotonicTime?

    /// Notes a change. Those of before the last look are forgotten: what they could explain has been seen.
    mutating func add(_ change: StateChange, at time: MonotonicTime) {
        if isSpent { self = RecentChanges() }
        self.time = self.time ?? time
        latest = time
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

    /// Forgets changes that have been looked at and are too old to explain anything: a route may expire hours after the last
    /// message.
    mutating func forget(before now: MonotonicTime) {
        if isSpent, let latest, latest.duration(to: now) > Self.lifetime { self = RecentChanges() }
    }

    /// The change that explains how one path became another: the weightiest of those about an interface that either uses, or
    /// about none, and only where there is none such the weightiest of those about an interface that either lists. What
    /// became of other links explains nothing.
    func change(from old: Path, to new: Path) -> StateChange? {
        var best: (place: Int, involvement: Involvement)?
        for place in entries.indices {
            let involvement = Involvement(entries[place].change, in: old, new)
            guard involvement != .none else { continue }
            if let best {
                guard
                    involvement == best.involvement
                        ? entries[place].rank > entries[best.place].rank : involvement > best.involvement
                else { continue }
            }
            best = (place, involvement)
        }
        return best.map { entries[$0.place].change }
    }

    /// How much a link has to do with a change of the path.
    private enum Involvement: Int, Comparable {
        case none
        case listed
        case used

        init(_ change: StateChange, in old: Path, _ new: Path) {
            if case .told(.address(_, let address)) = change.event, [old, new].contains(where: address.isSource) {
                self = .used
                return
            }
            if change.isAbout(Set(old.routes).symmetricDifference(new.routes)) {
                self = .used
                return
            }
            guard let index = change.index else {
                self = .used
                return
            }
            let isUsed = [old, new].contains { $0.ipv4.interfaceIndex == index || $0.ipv6.interfaceIndex == index }
            let isListed = [old, new].contains { $0.interfaces.contains { $0.index == index } }
            self = isUsed ? .used : isListed ? .listed : .none
        }

        static func < (left: Involvement, right: Involvement) -> Bool { left.rawValue < right.rawValue }
    }
}

extension StateChange {
    /// Whether it is about one of such routes, which may lead by the loopback, or about an address that it comes with.
    fileprivate func isAbout(_ routes: Set<IPPrefix>) -> Bool {
        switch event {
        case .told(.route(_, let route)): routes.contains(route.destination)
        case .told(.address(_, let address)): routes.contains { $0.contains(address.address) }
        default: false
        }
    }
}

extension AddressMessage {
    /// Whether packets by this path carry the address, whichever link has it.
    fileprivate func isSource(of path: Path) -> Bool {
        path.ipv4.source == address || path.ipv6.source == address
    }
}
