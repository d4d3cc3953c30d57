import Netlink
import NetworkAddress

/// A route that leads somewhere while none leads everywhere.
struct OwnRoute {
    let destination: IPPrefix
    /// The link that it leads by; nil where that is the loopback, which is no interface of a path.
    let interfaceIndex: UInt32?
}

extension PathDerivation {
    /// The routes to the other places that were asked about, and to the name servers, each once.
    ///
    /// A place that a route leads to which is known already is not asked about: what more particular route there is to it shows
    /// when something is sent.
    func ownRoutes() throws(NetlinkError) -> [OwnRoute] {
        var routes: [OwnRoute] = []
        guard let others else { return routes }
        for place in others + surroundings.nameServers where !place.isLoopback && !place.isLinkLocal {
            guard !routes.contains(where: { $0.destination.contains(place) }) else { continue }
            if let route = try ownRoute(to: place) { routes.append(route) }
        }
        return routes
    }

    /// Interfaces without those that are listed for such a route only: they say nothing of why there is no way out.
    func withoutBystanders(_ interfaces: [Interface], of routes: [OwnRoute], beside used: [UInt32]) -> [Interface] {
        let own = routes.compactMap(\.interfaceIndex).flatMap(table.rows(under:))
        guard own.contains(where: { $0.role != .uplink }) else { return interfaces }
        let others = Set(own.filter { $0.role != .uplink }.map(\.index))
            .subtracting(used.flatMap(table.rows(under:)).map(\.index))
        return interfaces.filter { !others.contains($0.index) }
    }

    private func ownRoute(to place: IPAddress) throws(NetlinkError) -> OwnRoute? {
        let conclusion = try judge(question.query(place))
        guard conclusion.path.isUsable, !conclusion.isTransient, let index = conclusion.path.interfaceIndex,
            case .route(let match, _) = conclusion.answer
        else { return nil }
        // A default route that leads nowhere by a rule or for want of a medium does not speak for what is asked about here.
        let isParticular = match.destination.length > 0 && match.destination.contains(place)
        guard let only = IPPrefix(place, length: place.family.bitWidth) else { return nil }
        let isLoopback = table.index.classify(index) == .loopback
        return OwnRoute(destination: isParticular ? match.destination : only, interfaceIndex: isLoopback ? nil : index)
    }
}
