import NetworkAddress
import Reachability

/// What a path ought to be, judged from what `ip` prints and by nothing of the product's.
struct Oracle {
    let view: KernelView

    /// One question's verdict.
    struct Verdict: Hashable {
        var isUsable: Bool
        var interface: String?
        var via: [String]
        var kernel: String
        var table: UInt32?
        var metric: UInt32?
        /// How special the route is: the length of its prefix where that is no default route's, nor of a piece of one.
        var detail = 0
        /// Whether the entry that the kernel names may be another one; then only the way that is taken is certain.
        var isByAnother = false
        /// Whether even the way is not certain, since another leg of the entry may have to stand for it.
        var isUncertain = false
    }

    func judge(_ question: Question) -> Verdict {
        guard case .route(let taken)? = view.taken[question], case .route(let matched)? = view.matched[question] else {
            return Verdict(isUsable: false, interface: nil, via: [], kernel: failure(question), table: nil, metric: nil)
        }
        let live = legs(matched, taken).filter(isAlive)
        let isUsable = !live.isEmpty && isSource(taken.prefsrc, of: question)
        let isTakenAlive = live.contains { $0.dev == taken.dev }
        let chosen = isTakenAlive ? taken.dev : live.compactMap(\.dev).min { index($0) < index($1) } ?? taken.dev
        var verdict = Verdict(
            isUsable: isUsable, interface: chosen, via: chosen.map(chain) ?? [], kernel: words(taken),
            table: matched.table.flatMap { UInt32($0) }, metric: matched.metric)
        verdict.detail = detail(matched)
        verdict.isByAnother = question.family == .ipv6 && isShared(matched)
        verdict.isUncertain = verdict.isByAnother && !isTakenAlive
        return verdict
    }

    /// Whether the route leads over a nexthop object that others lead over too.
    ///
    /// IPv6 then answers by whichever of them each processor was asked about first: the same question has another answer
    /// on another processor, and none of the answers is the right one's alone.
    private func isShared(_ matched: KernelView.Route) -> Bool {
        view.objects(of: matched).contains { view.users[$0, default: 0] > 1 }
    }

    private func index(_ name: String) -> UInt32 { view.links[name]?.ifindex ?? .max }

    func detail(_ matched: KernelView.Route) -> Int {
        let length = matched.dst.split(separator: "/").last.flatMap { Int($0) }
        guard matched.dst != "default" else { return 0 }
        // Of a route to one address `ip` leaves the length out.
        let bits = length ?? 128
        return bits > 7 ? bits : 0
    }

    /// The status of the paths to all of these, which is that of the first family with one, and there of the most general
    /// route; nil where none is certain.
    func status(_ questions: some Sequence<Question>) -> ReachabilityStatus? {
        let verdicts = questions.map { (family: $0.family, verdict: judgeInternet($0)) }
        guard !verdicts.contains(where: { $0.verdict.isUncertain }) else { return nil }
        let usable = verdicts.filter(\.verdict.isUsable)
        guard let family = usable.first?.family else { return ReachabilityStatus.none }
        let own = usable.filter { $0.family == family }.map(\.verdict)
        // Which of the entries that share a nexthop object the kernel names is not certain.
        guard own.count == 1 || !own.contains(where: \.isByAnother) else { return nil }
        var best = own[0]
        for verdict in own where verdict.detail < best.detail { best = verdict }
        return best.interface.map(medium) ?? ReachabilityStatus.none
    }

    /// The verdict on the way to the Internet: where a route to the destination's own network answers, or turns packets
    /// away, that on the place beside it, if a general route leads there.
    private func judgeInternet(_ question: Question) -> Verdict {
        let own = judge(question)
        let isSpecial = isRejected(question) || own.detail > 0 || own.isByAnother
        guard isSpecial, let place = question.beside else { return own }
        let beside = judge(place)
        var verdict = beside.isUsable && beside.detail == 0 ? beside : own
        // Which entry the kernel names decides whether that place counts.
        verdict.isByAnother = own.isByAnother || beside.isByAnother
        let isSame = own.isUsable == beside.isUsable && own.interface == beside.interface
        verdict.isUncertain = own.isUncertain || beside.isUncertain || (verdict.isByAnother && !isSame)
        return verdict
    }

    // MARK: The kernel's words

    private static let rejections = ["No route to host", "Permission denied", "Invalid argument"]

    /// Whether packets are turned away, which is not the same as that there is no route for them. Asked with an
    /// interface IPv4 does not tell the one from the other.
    func isRejected(_ question: Question) -> Bool {
        guard question.interface == nil || question.family == .ipv6 else { return false }
        guard case .failure(let words)? = view.matched[question] else { return false }
        return Self.rejections.contains { words.hasSuffix($0) }
    }

    private func failure(_ question: Question) -> String {
        for answer in [view.taken[question], view.matched[question]] {
            if case .failure(let words)? = answer { return words }
        }
        return ""
    }

    private func words(_ route: KernelView.Route) -> String {
        var words = route.dst
        if let gateway = route.gateway { words += " via \(gateway)" }
        if let via = route.via { words += " via \(via.family) \(via.host)" }
        if let device = route.dev { words += " dev \(device)" }
        if let source = route.prefsrc { words += " src \(source)" }
        return words
    }

    // MARK: What carries packets

    func legs(_ matched: KernelView.Route, _ taken: KernelView.Route) -> [KernelView.Leg] {
        if let legs = matched.nexthops { return legs }
        if matched.dev != nil { return [leg(matched)] }
        guard let id = matched.nhid, let nexthop = view.nexthops[id] else { return [leg(taken)] }
        let members = nexthop.group?.compactMap { view.nexthops[$0.id] } ?? [nexthop]
        return members.map { KernelView.Leg(dev: $0.dev, gateway: $0.gateway, via: nil, flags: $0.flags) }
    }

    private func leg(_ route: KernelView.Route) -> KernelView.Leg {
        KernelView.Leg(dev: route.dev, gateway: route.gateway, via: route.via, flags: route.flags)
    }

    func isAlive(_ leg: KernelView.Leg) -> Bool {
        guard let name = leg.dev else { return false }
        return isOperational(name) && Set(leg.flags ?? []).isDisjoint(with: ["linkdown", "dead"])
    }

    func isOperational(_ name: String) -> Bool {
        guard let link = view.links[name] else { return false }
        guard Set(link.flags ?? []).isSuperset(of: ["UP", "LOWER_UP"]), ["UP", "UNKNOWN"].contains(link.operstate)
        else {
            return false
        }
        return link.linkinfo?.info_kind != "bridge" || uplinkPort(of: name).map(isOperational) == true
    }

    /// The port that leads out of a bridge: the first cable that leaves the namespace, else the first of all.
    func uplinkPort(of bridge: String) -> String? {
        let ports = view.links.values.filter { $0.master == bridge && isCable($0) }
        let cables = ports.filter { $0.link_netnsid != nil }
        return (cables.isEmpty ? ports : cables).min { $0.ifindex ?? .max < $1.ifindex ?? .max }?.ifname
    }

    func isSource(_ source: String?, of question: Question) -> Bool {
        guard let source, source != "::1", !source.hasPrefix("fe80:") else { return false }
        let holder = view.links.values.lazy.flatMap { $0.addr_info ?? [] }.first { $0.local == source }
        return holder?.tentative != true && holder?.dadfailed != true
    }

    // MARK: What it is

    private func medium(of name: String) -> ReachabilityStatus {
        guard let link = view.links[name] else { return .other }
        switch link.linkinfo?.info_kind {
        case "veth": return .ethernet
        case "macvlan": return link.link.map(medium) ?? .ethernet
        case "bridge": return view.links.values.contains { $0.master == name && isCable($0) } ? .ethernet : .other
        default: return .other
        }
    }

    private func isCable(_ port: KernelView.Link) -> Bool {
        ["veth", "macvlan"].contains(port.linkinfo?.info_kind)
    }
}
