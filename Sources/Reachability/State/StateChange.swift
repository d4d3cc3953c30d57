package import Netlink
package import NetworkAddress

/// One change that could matter to a path, and what was known of its link before.
///
/// In one place for all that hand it on: a copy of the messages in it is two dozen references to be counted.
package final class StateChange: Sendable, Codable {
    package enum Event: Hashable, Sendable, Codable {
        /// The kernel told.
        case told(NetlinkNotification)
        /// The device's driver was asked for its carrier, ahead of the kernel's news.
        case asked(index: UInt32, hasCarrier: Bool)
        /// The files that name the servers have changed.
        case nameServers([IPAddress])
        /// A Wi-Fi device has changed its network or its access point.
        case wireless(index: UInt32, WirelessNotification.Event)
    }

    package let event: Event
    /// The link as it was before a message about a link; otherwise the link the change is about.
    package let previous: LinkMessage?

    convenience init(_ notification: NetlinkNotification, previous: LinkMessage?) {
        self.init(.told(notification), previous: previous)
    }

    init(_ event: Event, previous: LinkMessage?) {
        self.event = event
        self.previous = previous
    }

    convenience init(carrier: Bool, of link: LinkMessage) {
        self.init(.asked(index: link.index, hasCarrier: carrier), previous: link)
    }

    /// The link it is about, where it is about one.
    package var index: UInt32? {
        switch event {
        case .asked(let index, _), .wireless(let index, _): index
        case .nameServers: nil
        case .told(.link(_, let link)): link.index
        case .told(.address(_, let address)): address.index
        case .told(.route(_, let route)): route.outputInterface ?? route.nextHops.first?.outputInterface
        case .told(.nexthop(_, let nexthop)): nexthop.outputInterface
        case .told(.netconf(_, let netconf)): netconf.index
        case .told(.rule), .told(.userOption): nil
        }
    }

    /// How well it explains a change of path: the end of a link explains the routes and addresses that went with it,
    /// while its beginning explains nothing that a route does not explain better.
    package var weight: Int {
        switch event {
        case .told(.link(.deleted, _)): 7
        case .told(.link(.new, let link)) where hasLess(link): 6
        case .asked: 5
        case .told(.link(.new, let link)): link.name == previous?.name ? 2 : 4
        case .told(.address(.deleted, _)): 4
        case .told(.route), .told(.rule), .told(.nexthop): 3
        case .told(.netconf): 2
        case .told(.address(.new, _)): 1
        case .wireless: 1
        case .told(.userOption), .nameServers: 0
        }
    }

    private func hasLess(_ link: LinkMessage) -> Bool {
        guard let previous else { return false }
        let decisive: LinkFlags = [.up, .lowerUp, .running]
        return !previous.flags.intersection(decisive).isSubset(of: link.flags)
    }
}

extension StateChange: Hashable {
    package static func == (left: StateChange, right: StateChange) -> Bool {
        left.event == right.event && left.previous == right.previous
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(event)
        hasher.combine(previous)
    }
}
