import Netlink
import NetworkAddress

/// Judges how packets to one destination leave: the kernel's answer, and beside it what the kernel does not look at.
///
/// The kernel also chooses links without carrier, sources that no answer can reach, and tunnels that lead nowhere. Such a path
/// is shown, and is not usable.
struct DestinationJudgement {
    let table: LinkTable

    /// - Parameter question: Says which media count.
    func judge(_ query: RouteQuery, _ answer: RouteAnswer, for question: borrowing PathQuestion) -> Conclusion {
        var path = FamilyPath(isUsable: false)
        var isTransient = false
        switch answer {
        case .noRoute: path.reason = .noRoute
        case .rejected(let type): path.reason = type.rejection
        case .route(let match, let chosen): isTransient = judge(query, match, chosen, &path)
        }
        if path.isUsable, let medium = path.medium, !question.allows(medium) {
            path.isUsable = false
            path.reason = .mediumNotAllowed
        }
        return Conclusion(query.destination, answer, path: path, isTransient: isTransient)
    }

    /// - Returns: Whether the kernel was seen in the middle of a change.
    private func judge(
        _ query: RouteQuery, _ match: RouteMessage, _ chosen: RouteMessage?, _ path: inout FamilyPath
    ) -> Bool {
        guard match.type.rejects == nil else {
            path.reason = match.type.rejection
            return false
        }
        // Otherwise the kernel named another entry.
        let isOwn = match.covers(query)
        let legs = isOwn ? match.legs : chosen?.legs ?? match.legs
        guard let leg = select(legs, query, chosen) else {
            // Its nexthop object is gone, and the route goes with it.
            path.reason = .noRoute
            return true
        }
        path.table = isOwn ? match.table : nil
        path.metric = isOwn ? match.priority : nil
        if legs.count > 1 { path.legs = legs.map(describe) }
        let isTransient = judge(leg, query, chosen, &path)
        if path.isUsable, query.outputInterface == nil, path.legs.contains(where: { !$0.isUsable }) {
            path.reason = .legWithoutCarrier
        }
        return isTransient
    }

    /// - Returns: Whether the kernel was seen in the middle of a change.
    private func judge(
        _ leg: NextHop, _ query: RouteQuery, _ chosen: RouteMessage?, _ path: inout FamilyPath
    ) -> Bool {
        let row = table.row(of: leg.outputInterface)
        describe(&path, leg, row, chosen)
        let isStale = isStale(leg, row)
        if let obstacle = obstacle(leg, row) {
            path.reason = obstacle
            return isStale
        }
        let source = judgeSource(chosen?.preferredSource, of: leg.outputInterface, query.destination)
        path.isUsable = source.reason == nil
        path.reason = source.reason
        return isStale || source.isTransient
    }

    /// The leg to judge: the asked device's own, else the one this destination takes, else any that works.
    ///
    /// A multipath route with one dead leg still carries part of the flows, so a live leg stands for it: of several, the
    /// one of the lowest interface index, whatever the destination and the order in which the route was made.
    private func select(_ legs: [NextHop], _ query: RouteQuery, _ chosen: RouteMessage?) -> NextHop? {
        // The routes of a VRF leave by its members, so that no leg may be by the device that was asked for.
        if let index = query.outputInterface { return legs.first { $0.outputInterface == index } ?? legs.first }
        let taken = legs.first { $0.outputInterface == chosen?.outputInterface && $0.gateway == chosen?.gateway }
        if let taken, obstacle(taken) == nil { return taken }
        return legs.first { obstacle($0) == nil } ?? taken ?? legs.first
    }

    private func describe(_ path: inout FamilyPath, _ leg: NextHop, _ row: LinkRow?, _ chosen: RouteMessage?) {
        path.interfaceIndex = leg.outputInterface
        path.gateway = leg.gateway
        if chosen?.outputInterface == leg.outputInterface { path.source = chosen?.preferredSource }
        let name = table.name(of: leg.outputInterface)
        path.interface = name
        path.via = row?.via ?? [name]
        path.medium = row?.chain.medium ?? .other
    }

    private func describe(_ leg: NextHop) -> FamilyPath.Leg {
        FamilyPath.Leg(
            interface: table.name(of: leg.outputInterface), gateway: leg.gateway, isUsable: obstacle(leg) == nil)
    }

    // MARK: What stands in the way

    /// Why nothing gets out by this leg.
    private func obstacle(_ leg: NextHop) -> PathReason? {
        obstacle(leg, table.row(of: leg.outputInterface))
    }

    private func obstacle(_ leg: NextHop, _ row: LinkRow?) -> PathReason? {
        guard let row else { return .noCarrier }
        if let hindrance = row.hindrance { return hindrance }
        // The route's flag may be ahead of our reading the kernel's news.
        if leg.flags.contains(.linkDown) { return .noCarrier }
        // Without its last IPv4 address a link keeps its legs of multipath routes, and they are never chosen.
        return leg.flags.contains(.dead) ? .noAddress : nil
    }

    /// Whether the kernel has told of a link's end and still has its routes, which go in the same stroke.
    private func isStale(_ leg: NextHop, _ row: LinkRow?) -> Bool {
        guard let row else { return true }
        return !row.isUp && !leg.flags.contains(.dead)
    }

    // MARK: The source address

    private func judgeSource(
        _ source: IPAddress?, of index: UInt32, _ destination: IPAddress
    ) -> (reason: PathReason?, isTransient: Bool) {
        guard let source, !source.isUnspecified else {
            return (addressReason(index, destination.family) ?? .noAddress, false)
        }
        // Where no other address can be one the kernel takes the loopback's, which leads to no answer from elsewhere.
        if source.isLoopback, !destination.isLoopback {
            return (addressReason(index, destination.family) ?? .noAddress, false)
        }
        if source.isLinkLocal, !destination.isLinkLocal {
            return (addressReason(index, destination.family) ?? .linkLocalSource, false)
        }
        guard let holder = table.holder(of: source, likely: index) else { return (nil, !source.isLoopback) }
        return (holder.obstacle, false)
    }

    /// What became of the addresses that could have been the source.
    func addressReason(_ index: UInt32, _ family: AddressFamily) -> PathReason? {
        let addresses = table.state.addresses(index, family).filter { !$0.address.isLinkLocal }
        if addresses.contains(where: { $0.flags.contains(.duplicateDetected) }) { return .duplicateAddress }
        if addresses.contains(where: \.isBeingChecked) { return .tentative }
        return addresses.isEmpty && table.state.addresses(index, family).isEmpty ? .noAddress : nil
    }
}

extension AddressMessage {
    /// Whether duplicate address detection keeps the address from being a source yet.
    var isBeingChecked: Bool {
        flags.contains(.tentative) && !flags.contains(.optimistic)
    }
}

extension RouteMessage {
    /// Whether the entry answers for where the packets go, as any ought to.
    ///
    /// IPv6 keeps one route a processor with each nexthop object, made for whichever entry was asked about first, and
    /// answers by it for all entries that share the object (`rt6_get_pcpu_route()` in the kernel's `net/ipv6/route.c`).
    /// The way out is the right one, since it is the object's; table and metric are another entry's. Where that one covers
    /// the destination too, nothing tells them apart.
    fileprivate func covers(_ query: RouteQuery) -> Bool {
        destination.contains(query.destination)
    }

    /// The ways that the route offers, each with its device.
    var legs: [NextHop] {
        // The kernel's order of IPv6 legs differs from one destination to another.
        guard nextHops.isEmpty, let outputInterface else {
            return nextHops.sorted { $0.outputInterface < $1.outputInterface }
        }
        return [NextHop(outputInterface: outputInterface, gateway: gateway, flags: flags)]
    }
}

extension RouteType {
    /// Why packets that match such a route go nowhere; nil for a route that carries them.
    var rejects: PathReason? {
        switch self {
        case .blackhole: .blackhole
        case .unreachable: .unreachable
        case .prohibit: .prohibit
        case .throw: .noRoute
        default: nil
        }
    }

    var rejection: PathReason { rejects ?? .noRoute }
}
