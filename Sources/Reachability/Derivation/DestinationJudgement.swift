import Netlink
import NetworkAddress

/// Judges how packets to one destination leave: the kernel's answer, and beside it what the kernel does not look at.
///
/// The kernel also chooses links without carrier, sources nobody can answer, and tunnels that lead nowhere. Such a path
/// is shown, and is not usable.
struct DestinationJudgement {
    let table: LinkTable

    func judge(_ query: RouteQuery, _ answer: RouteAnswer) -> Judgement {
        var judgement = judge(answer, to: query)
        judgement.destination = query.destination
        return judgement
    }

    private func judge(_ answer: RouteAnswer, to query: RouteQuery) -> Judgement {
        switch answer {
        case .noRoute: return .unusable(.noRoute)
        case .rejected(let type): return .unusable(type.rejection)
        case .route(let match, let chosen):
            guard match.type.rejects == nil else { return .unusable(match.type.rejection) }
            let isOwn = match.covers(query)
            return judge(query, isOwn ? match : nil, chosen, legs: isOwn ? match.legs : chosen?.legs ?? match.legs)
        }
    }

    /// - Parameter match: The entry that answers; nil where the kernel named another one.
    private func judge(
        _ query: RouteQuery, _ match: RouteMessage?, _ chosen: RouteMessage?, legs: [NextHop]
    ) -> Judgement {
        guard let leg = select(legs, query, chosen) else {
            // Its nexthop object is gone, and the route goes with it.
            var gone = Judgement.unusable(.noRoute)
            gone.isTransient = true
            return gone
        }
        var path = FamilyPath(isUsable: true)
        path.table = match?.table
        path.metric = match?.priority
        describe(&path, leg, chosen)
        if legs.count > 1 { path.legs = legs.map(describe) }
        var isTransient = isStale(leg)
        if let obstacle = obstacle(leg) {
            path.isUsable = false
            path.reason = obstacle
        } else {
            let source = judgeSource(chosen?.preferredSource, of: leg.outputInterface, query.destination)
            path.isUsable = source.reason == nil
            path.reason = source.reason
            isTransient = isTransient || source.isTransient
        }
        if path.isUsable, query.outputInterface == nil, path.legs.contains(where: { !$0.isUsable }) {
            path.reason = .legWithoutCarrier
        }
        return Judgement(path: path, isTransient: isTransient)
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

    private func describe(_ path: inout FamilyPath, _ leg: NextHop, _ chosen: RouteMessage?) {
        path.interface = table.state.name(leg.outputInterface)
        path.interfaceIndex = leg.outputInterface
        path.gateway = leg.gateway
        if chosen?.outputInterface == leg.outputInterface { path.source = chosen?.preferredSource }
        guard let position = table.position(of: leg.outputInterface) else {
            path.via = [table.state.name(leg.outputInterface)]
            path.medium = .other
            return
        }
        path.via = table.rows[position].via
        path.medium = table.rows[position].chain.medium
    }

    private func describe(_ leg: NextHop) -> FamilyPath.Leg {
        FamilyPath.Leg(
            interface: table.state.name(leg.outputInterface), gateway: leg.gateway, isUsable: obstacle(leg) == nil)
    }

    // MARK: What stands in the way

    /// Why nothing gets out by this leg.
    private func obstacle(_ leg: NextHop) -> PathReason? {
        guard let position = table.position(of: leg.outputInterface) else { return .noCarrier }
        if let hindrance = table.rows[position].hindrance { return hindrance }
        // The route's flag may be ahead of our reading the kernel's news.
        if leg.flags.contains(.linkDown) { return .noCarrier }
        // Without its last IPv4 address a link keeps its legs of multipath routes, and they are never chosen.
        return leg.flags.contains(.dead) ? .noAddress : nil
    }

    /// Whether the kernel has told of a link's end and still has its routes, which go in the same stroke.
    private func isStale(_ leg: NextHop) -> Bool {
        guard let position = table.position(of: leg.outputInterface) else { return true }
        return !table.rows[position].isUp && !leg.flags.contains(.dead)
    }

    // MARK: The source address

    private func judgeSource(
        _ source: IPAddress?, of index: UInt32, _ destination: IPAddress
    ) -> (reason: PathReason?, isTransient: Bool) {
        guard let source, !source.isUnspecified else {
            return (addressReason(index, destination.family) ?? .noAddress, false)
        }
        if source.isLinkLocal, !destination.isLinkLocal {
            return (addressReason(index, destination.family) ?? .linkLocalSource, false)
        }
        guard table.state.hasAddress(source) || source.isLoopback else { return (nil, true) }
        let holder = table.state.addresses.values.joined().first { $0.address == source }
        if holder?.flags.contains(.duplicateDetected) == true { return (.duplicateAddress, false) }
        return (holder?.isBeingChecked == true ? .tentative : nil, false)
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
