package import Netlink

/// The whole state as dumps tell it: at the start, and again after messages were lost.
package struct Snapshot: Hashable, Sendable, Codable {
    package var links: [LinkMessage]
    package var addresses: [AddressMessage]
    package var rules: [RuleMessage]

    package init(links: [LinkMessage] = [], addresses: [AddressMessage] = [], rules: [RuleMessage] = []) {
        self.links = links
        self.addresses = addresses
        self.rules = rules
    }
}

extension NetworkState {
    /// Takes a dump in place of what was known, and returns what had gone unnoticed, by link number.
    package mutating func replace(with snapshot: Snapshot) -> [StateChange] {
        let before = self
        links = Dictionary(snapshot.links.map { ($0.index, $0) }) { _, latest in latest }
        addresses = Dictionary(grouping: snapshot.addresses, by: \.index)
        rules = Set(snapshot.rules)
        return linkChanges(since: before) + addressChanges(since: before)
    }

    private func linkChanges(since before: NetworkState) -> [StateChange] {
        Set(before.links.keys).union(links.keys).sorted().compactMap { index in
            switch (before.links[index], links[index]) {
            case (let old?, nil): StateChange(.link(.deleted, old), previous: old)
            case (let old, let new?) where old?.substance != new.substance:
                StateChange(.link(.new, new), previous: old)
            default: nil
            }
        }
    }

    private func addressChanges(since before: NetworkState) -> [StateChange] {
        Set(before.addresses.keys).union(addresses.keys).sorted().flatMap { index in
            let old = before.addresses[index] ?? []
            let new = addresses[index] ?? []
            return old.filter { address in !new.contains { $0.isSame(as: address) } }
                .map { StateChange(.address(.deleted, $0), previous: before.links[index]) }
                + new.filter { address in !old.contains { $0.substance == address.substance } }
                .map { StateChange(.address(.new, $0), previous: links[index]) }
        }
    }
}
