package import Netlink

/// One change that could matter to a path, and what was known of its link before.
package struct StateChange: Hashable, Sendable {
    package let notification: NetlinkNotification
    /// The link as it was before a message about a link; otherwise the link the message is about.
    package let previous: LinkMessage?

    init(_ notification: NetlinkNotification, previous: LinkMessage?) {
        self.notification = notification
        self.previous = previous
    }

    /// The link it is about, where it is about one.
    package var index: UInt32? {
        switch notification {
        case .link(_, let link): link.index
        case .address(_, let address): address.index
        case .route(_, let route): route.outputInterface ?? route.nextHops.first?.outputInterface
        case .nexthop(_, let nexthop): nexthop.outputInterface
        case .netconf(_, let netconf): netconf.index
        case .userOption(let option): option.index
        case .rule: nil
        }
    }

    /// The link's name at the time.
    package var interface: String? {
        if case .link(_, let link) = notification { link.name } else { previous?.name }
    }

    /// How well it explains a change of path: the end of a link explains the routes and addresses that went with it,
    /// while its beginning explains nothing that a route does not explain better.
    package var weight: Int {
        switch notification {
        case .link(.deleted, _): 6
        case .link(.new, let link) where link.hasLess(than: previous): 5
        case .link(.new, let link): link.name == previous?.name ? 2 : 4
        case .address(.deleted, _): 4
        case .route, .rule, .nexthop: 3
        case .netconf: 2
        case .address(.new, _): 1
        case .userOption: 0
        }
    }
}

extension LinkMessage {
    fileprivate func hasLess(than previous: LinkMessage?) -> Bool {
        guard let previous else { return false }
        let decisive: LinkFlags = [.up, .lowerUp, .running]
        return !previous.flags.intersection(decisive).isSubset(of: flags)
    }
}
