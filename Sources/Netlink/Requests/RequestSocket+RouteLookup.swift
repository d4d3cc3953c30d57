import CNetlink
import NetworkAddress
import SystemPackage

extension RequestSocket {
    /// Asks the forwarding information base how a packet would leave.
    ///
    /// The entry that matches is asked for first (RTM_F_FIB_MATCH), since only that tells the truth about a device
    /// without routes: with RTA_OIF alone the kernel invents an on-link answer. The plain look-up beside it gives the
    /// source address and the leg taken. An answer that only names a nexthop object is completed with that object.
    ///
    /// With `outputInterface`, of a multipath route only the legs by that device are told; and IPv4 does not tell
    /// "no route" from "rejected" then: both are ``RouteAnswer/noRoute``.
    ///
    /// Where IPv6 has no way for packets whose source is left open, the kernel chooses one for a connection and looks
    /// again (ip6_dst_lookup_tail() in its net/ipv6/ip6_output.c): a route for packets of some sources is found by that
    /// alone. So it is here, with the source that the kernel chooses.
    ///
    /// - Throws: What the kernel says where the question itself was wrong.
    public mutating func answer(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        let answer = try answerAsAsked(query)
        if case .route = answer { return answer }
        guard mayHaveOwnSource, query.leavesSourceOpen, let sourced = withOwnSource(query),
            case .route(let match, let chosen) = try answerAsAsked(sourced),
            // A device is no more than preferred by a look-up with a source.
            query.outputInterface == nil || match.outputInterface == query.outputInterface
        else { return answer }
        return .route(match: match, chosen: chosen)
    }

    /// The question with the source that the kernel chooses for a socket, whatever the device: it does so where it finds no
    /// route. Nil where no connection leaves, as on a host without IPv6, which is asked once a round.
    private mutating func withOwnSource(_ query: RouteQuery) -> RouteQuery? {
        let destination = query.destination
        guard round?.unreachable.contains(destination) != true else { return nil }
        // A shortage of descriptors is no lack of a way: the kernel is asked with what it chose the last time.
        var source = ownSources[destination]
        do throws(Errno) {
            source = try OwnSource.address(to: destination)
            if ownSources.count >= Self.mostOwnSources { ownSources = [:] }
            ownSources[destination] = source
        } catch {}
        guard let source else {
            round?.unreachable.append(destination)
            return nil
        }
        var sourced = query
        sourced.source = source
        return sourced
    }

    private static var mostOwnSources: Int { 64 }

    private mutating func answerAsAsked(_ query: RouteQuery) throws(NetlinkError) -> RouteAnswer {
        switch try lookUp(Lookup(query: query, isEntry: true)) {
        case .failure(let refusal) where refusal.errno == .messageTooLong:
            // An entry was found that has more legs than there is room for in an answer, a hundred or more. The plain
            // look-up tells the one taken.
            guard case .success(let answer) = try lookUp(Lookup(query: query, isEntry: false)) else {
                return try verdict(refusal, query)
            }
            return .route(match: answer.with(source: nil), chosen: answer.with(source: query.source))
        case .failure(let refusal): return try verdict(refusal, query)
        case .success(let route):
            guard let match = try complete(route, query) else { return .rejected(.blackhole) }
            return .route(match: match, chosen: try chosen(query, by: match))
        }
    }

    /// How a packet itself would leave: one look-up, where no device is given to which the kernel might invent a route.
    ///
    /// - Returns: The leg taken; nil where the packet does not leave.
    /// - Throws: What the kernel says where the question itself was wrong.
    public mutating func leg(_ query: RouteQuery) throws(NetlinkError) -> RouteMessage? {
        if query.outputInterface == nil, case .success(let route) = try lookUp(Lookup(query: query, isEntry: false)) {
            return route.with(source: query.source)
        }
        guard case .route(let match, let chosen) = try answer(query) else { return nil }
        var leg = chosen ?? match
        if match.type == .local { leg.type = .local }
        leg.outputInterface = leg.outputInterface ?? match.outputInterface
        leg.gateway = leg.gateway ?? match.gateway
        return leg
    }

    /// The plain look-up; nil where it fails although an entry matches, as it does for a moment under changes.
    private mutating func chosen(_ query: RouteQuery, by match: RouteMessage) throws(NetlinkError) -> RouteMessage? {
        if let known = round?.chosen?.way(for: query, by: match) { return known }
        guard case .success(let answer) = try lookUp(Lookup(query: query, isEntry: false)) else { return nil }
        let route = answer.with(source: query.source)
        round?.chosen = ChosenWay(route, for: query, by: match)
        return route
    }

    // MARK: Refusals

    private mutating func verdict(_ refusal: LookupResult.Refusal, _ query: RouteQuery) throws(NetlinkError)
        -> RouteAnswer
    {
        switch refusal.errno {
        case .networkUnreachable: .noRoute
        case .noRouteToHost: isAmbiguous(query) ? .noRoute : .rejected(.unreachable)
        case .permissionDenied: .rejected(.prohibit)
        case .invalidArgument where try isBlackhole(refusal, query): .rejected(.blackhole)
        case .operationNotSupportedByDevice where query.outputInterface != nil: .noRoute
        case let errno where errno.meansNoSuchFamily && refusal.text == nil: .noRoute
        default: throw refusal.error(about: query)
        }
    }

    /// IPv4 takes any failure of a look-up with a device for "on link", and then finds no entry to show.
    private func isAmbiguous(_ query: RouteQuery) -> Bool {
        query.outputInterface != nil && query.destination.family == .ipv4
    }

    /// EINVAL is the answer of a blackhole route, and also that to a wrong question. The kernel explains the latter; to
    /// be sure, the same question is asked about this host itself, which nothing of a user's can blackhole. That is
    /// 0.0.0.0: the kernel takes it for the loopback address and looks at no rule and no table, be the loopback link up
    /// or not (ip_route_output_key_hash_rcu() in its net/ipv4/route.c). What 127.0.0.1 is, a table says, which is empty
    /// until that link is up, and comes after others where a user has moved its rule. IPv6's loopback goes away where
    /// IPv6 is switched off.
    private mutating func isBlackhole(_ refusal: LookupResult.Refusal, _ query: RouteQuery) throws(NetlinkError) -> Bool
    {
        guard refusal.text == nil else { return false }
        var control = query
        control.outputInterface = nil
        // It may be of the other family.
        control.source = nil
        control.destination = .v4(IPv4Address(rawValue: 0))
        guard case .failure(let again) = try lookUp(Lookup(query: control, isEntry: true)) else { return true }
        return again.errno != .invalidArgument
    }

    // MARK: Completion

    /// Fills in what the kernel left to a nexthop object; nil where that is a blackhole.
    private mutating func complete(_ route: RouteMessage, _ query: RouteQuery) throws(NetlinkError) -> RouteMessage? {
        let lacksWay = route.nexthopID != nil && route.outputInterface == nil && route.nextHops.isEmpty
        guard lacksWay || query.outputInterface != nil else { return route }
        var route = route
        if lacksWay, let id = route.nexthopID {
            guard try resolve(id, into: &route) else { return nil }
        }
        if let index = query.outputInterface { route.keepLegs(by: index) }
        return route
    }

    /// False where the object is a blackhole.
    private mutating func resolve(_ id: UInt32, into route: inout RouteMessage) throws(NetlinkError) -> Bool {
        guard let object = try nexthop(id) else { return true }
        guard !object.isBlackhole else { return false }
        route.outputInterface = object.outputInterface
        route.gateway = object.gateway
        route.flags.formUnion(object.flags)
        for member in object.group {
            guard let leg = try nexthop(member.id), let index = leg.outputInterface else { continue }
            route.nextHops.append(
                NextHop(outputInterface: index, gateway: leg.gateway, flags: leg.flags, weight: member.weight))
        }
        return true
    }
}

extension RouteQuery {
    /// Whether the kernel may choose a source for a socket of this process's: it is no other user's, and takes a privilege
    /// to be marked.
    fileprivate var leavesSourceOpen: Bool {
        destination.family == .ipv6 && source == nil && mark == nil && userID == nil
    }
}

extension RouteMessage {
    /// The plain answer with the source that was asked with: IPv4 leaves out what it was told, and IPv6 tells which it
    /// would have chosen itself. Its RTA_SRC is the packet's, and no entry's.
    fileprivate func with(source: IPAddress?) -> RouteMessage {
        var route = self
        route.source = nil
        if let source { route.preferredSource = source }
        return route
    }

    /// Keeps the legs by one device, and makes a single one the route's own. Where none is by that device (a VRF, whose
    /// routes leave by its members), all stay.
    fileprivate mutating func keepLegs(by index: UInt32) {
        let legs = nextHops.filter { $0.outputInterface == index }
        guard !legs.isEmpty else { return }
        nextHops = legs
        guard legs.count == 1 else { return }
        outputInterface = index
        gateway = legs[0].gateway
        flags.formUnion(legs[0].flags)
        nextHops = []
    }
}

extension NetlinkRequest {
    static func lookUp(_ lookup: Lookup) throws(NetlinkError) -> NetlinkRequest {
        let query = lookup.query
        let flags = lookup.isEntry ? RTM_F_FIB_MATCH : 0
        var header = rtmsg()
        header.rtm_family = query.destination.family.kernelValue
        header.rtm_dst_len = UInt8(query.destination.family.bitWidth)
        // The kernel refuses a source without its length.
        if let source = query.source { header.rtm_src_len = UInt8(source.family.bitWidth) }
        // IPv4 tells the table only on demand; IPv6 always does, and refuses the flag.
        header.rtm_flags = UInt32(query.destination.family == .ipv4 ? flags | RTM_F_LOOKUP_TABLE : flags)
        let request = try NetlinkRequest(RTM_GETROUTE, about: .destination(query.destination), header: header)
        try request.put(query)
        return request
    }

    private borrowing func put(_ query: RouteQuery) throws(NetlinkError) {
        try put(Int(RTA_DST.rawValue), query.destination)
        if let source = query.source { try put(Int(RTA_SRC.rawValue), source) }
        if let index = query.outputInterface { try put(Int(RTA_OIF.rawValue), index) }
        if let mark = query.mark { try put(Int(RTA_MARK.rawValue), mark) }
        if let userID = query.userID { try put(Int(RTA_UID.rawValue), userID) }
        if let ipProtocol = query.ipProtocol { try put(Int(RTA_IP_PROTO.rawValue), ipProtocol) }
        if let port = query.destinationPort { try put(Int(RTA_DPORT.rawValue), bigEndian: port) }
    }
}
