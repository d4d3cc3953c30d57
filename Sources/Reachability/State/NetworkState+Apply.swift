package import Netlink
import NetworkAddress

extension NetworkState {
    /// Folds one message into the state, and tells what changed; nil where nothing did that could change a path.
    ///
    /// Messages about routes, rules, nexthop objects and device settings always count: only asking the kernel can tell
    /// what they mean.
    package mutating func apply(_ notification: NetlinkNotification) -> StateChange? {
        switch notification {
        case .link(let change, let link): apply(change, link)
        case .address(let change, let address): apply(change, address)
        case .route(_, let route):
            StateChange(notification, previous: route.outputInterface.flatMap { links[$0] })
        case .netconf(_, let netconf): StateChange(notification, previous: netconf.index.flatMap { links[$0] })
        case .nexthop(_, let nexthop):
            StateChange(notification, previous: nexthop.outputInterface.flatMap { links[$0] })
        case .rule(let change, let rule): apply(change, rule)
        // What a router advertises for programs changes no path.
        case .userOption: nil
        }
    }

    private mutating func apply(_ change: NetlinkNotification.Change, _ link: LinkMessage) -> StateChange? {
        guard link.isAboutDevice else { return nil }
        switch change {
        case .new:
            let previous = links.updateValue(link, forKey: link.index)
            guard previous?.substance != link.substance else { return nil }
            return StateChange(.link(.new, link), previous: previous)
        case .deleted:
            addresses[link.index] = nil
            guard let previous = links.removeValue(forKey: link.index) else { return nil }
            return StateChange(.link(.deleted, link), previous: previous)
        }
    }

    private mutating func apply(_ change: NetlinkNotification.Change, _ rule: RuleMessage) -> StateChange? {
        switch change {
        case .new: rules.insert(rule)
        case .deleted: rules.remove(rule)
        }
        return StateChange(.rule(change, rule), previous: nil)
    }

    private mutating func apply(_ change: NetlinkNotification.Change, _ address: AddressMessage) -> StateChange? {
        var list = addresses[address.index] ?? []
        let position = list.firstIndex { $0.isSame(as: address) }
        let previous = position.map { list.remove(at: $0) }
        if change == .new { list.insert(address, at: position ?? list.count) }
        addresses[address.index] = list.isEmpty ? nil : list
        guard change == .deleted || previous?.substance != address.substance else { return nil }
        return StateChange(.address(change, address), previous: links[address.index])
    }
}

extension LinkMessage {
    /// Whether it tells of the device. A bridge port's message has the same index as its device: a port that leaves is not a
    /// deleted device. A wireless event carries a name and nothing else that could be believed.
    var isAboutDevice: Bool { family == 0 && !isWirelessEvent }

    /// The message without what says nothing about the link itself.
    var substance: LinkMessage {
        var copy = self
        copy.changedFlags = 0
        copy.isWirelessEvent = false
        return copy
    }
}

extension AddressMessage {
    /// The message without its lifetimes, which every router advertisement renews, and without the label, which follows
    /// the link's name.
    var substance: AddressMessage {
        var copy = self
        copy.preferredLifetime = nil
        copy.validLifetime = nil
        copy.updated = nil
        copy.label = nil
        return copy
    }

    /// Whether both are about the same address of the same link.
    ///
    /// IPv6 has an address once a link. Its far end is changed in place, and no message tells that the former is gone
    /// (inet6_addr_modify() in the kernel's net/ipv6/addrconf.c). IPv4 has it once for each network and far end.
    func isSame(as other: AddressMessage) -> Bool {
        guard index == other.index, address == other.address else { return false }
        return address.family == .ipv6 || (prefixLength == other.prefixLength && peer == other.peer)
    }
}
