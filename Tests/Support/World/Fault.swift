internal import Evidence
internal import NetworkAddress

/// What can be wrong with a host for a while, along with other things.
enum Fault: Hashable, Sendable {
    /// The uplink lets nothing through, or its gateway says that it cannot send on.
    case cut, tells
    /// The same of version 6 alone.
    case familyCut
    case tunnelCut
    /// One of three packets is lost.
    case loss
    case portal(Line.Portal)
    case unreachable
    case names(Names)
    case targets([Int], Server.Mood)
    case clock
    case descriptors
    /// This process is stopped, and this host sleeps.
    case stop, sleep

    enum Names: CaseIterable, Sendable {
        case silent, fails, refuses, denies, hijacks, closed

        var mood: NameServer.Mood {
            switch self {
            case .silent: .silent
            case .fails: .fails
            case .refuses: .refuses
            case .denies: .denies
            case .hijacks: .hijacks
            case .closed: .closed
            }
        }
    }

    var sendsElsewhere: Bool { if case .targets(_, .redirects) = self { true } else { false } }

    func afflict(_ world: inout World) {
        let uplinks = world.lines.indices.filter { world.lines[$0].reachesAll }
        switch self {
        case .cut: for line in uplinks { world.lines[line].isCut = true }
        case .tells: for line in uplinks { (world.lines[line].isCut, world.lines[line].tells) = (true, true) }
        case .familyCut:
            for line in uplinks where world.lines[line].way.family == .ipv6 { world.lines[line].isCut = true }
        case .tunnelCut: world.lines[world.tunnel].isCut = true
        case .loss: for line in uplinks { world.lines[line].loss = 0.3 }
        case .portal(let kind): for line in uplinks { world.lines[line].portal = kind }
        case .unreachable: world.isReachable = false
        case .names(let names): world.setNameServers(names.mood)
        case .targets(let targets, let mood): world.set(mood, for: targets)
        case .clock: world.isClockRight = false
        case .descriptors: world.hasDescriptors = false
        case .stop: world.stop()
        case .sleep: world.sleep()
        }
    }
}

extension World {
    /// Nothing is wrong but these.
    mutating func suffer(_ faults: [Fault]) {
        let (wasReachable, wasAsleep) = (isReachable, isAsleep)
        for line in lines.indices {
            (lines[line].isCut, lines[line].tells, lines[line].portal) = (false, false, .none)
            lines[line].loss = 0
        }
        for address in servers.keys { servers[address]?.mood = .well }
        setNameServers(.well)
        (isReachable, isClockRight, hasDescriptors) = (true, true, true)
        if isClosedOff { closeOff() }
        for fault in faults { fault.afflict(&self) }
        let isWoken = wasAsleep && !faults.contains(.stop) && !faults.contains(.sleep)
        if isWoken { if isStopped { go() } else { resume() } }
        if isWoken || isReachable != wasReachable { tellNetwork() }
    }

    /// What may be told while these are wrong, and nothing else, and have been for a while.
    func truth(amid faults: Set<Fault>) -> Truth {
        let own = watched.indices.filter { watched[$0].role != .witness }
        let down = faults.reduce(into: Set<Int>()) { if case .targets(let targets, _) = $1 { $0.formUnion(targets) } }
        let hasSecure = own.contains { watched[$0].transport == .secure }
        let arePortalled = faults.contains { if case .portal = $0 { true } else { false } }
        let areNamesWrong = faults.contains { if case .names = $0 { true } else { false } }
        let onLink = down.filter { watched[$0].addresses == [Self.box] }
        // Where nobody else answers, what sends elsewhere may be a portal.
        if !onLink.isEmpty, faults.contains(where: \.sendsElsewhere) { return .anything(of: own) }
        if !faults.isDisjoint(with: [.stop, .sleep]) { return .anything(of: own) }
        if faults.contains(.loss) { return truth(amid: faults.subtracting([.loss])).blurred(among: own) }
        if faults.contains(.unreachable) { return Truth([.none], [.path]) }
        if faults.contains(.descriptors) {
            return Truth(
                [.unknown, .limited, .local, .portal], [.host, .uplink, .resolver, .target], perhaps: Set(own))
        }
        if !faults.isDisjoint(with: [.cut, .tells]) { return Truth([.local], [.uplink], perhaps: onLink) }
        if isClosedOff, !faults.isEmpty, !isPlain(down, amid: faults) { return .anything(of: own) }
        if arePortalled {
            return areNamesWrong
                ? Truth([.portal, .limited, .local], [.uplink, .resolver], perhaps: Set(own))
                : Truth([.portal], [.uplink])
        }
        // A dead way is told before names that are not found.
        if areNamesWrong {
            return Truth([.limited], tunnelled == nil ? [.resolver] : [.resolver, .path], perhaps: Set(own))
        }
        // Nobody can tell whether it is the tunnel or all behind it.
        if let tunnelled, tunnelled.isSubset(of: down) {
            return Truth([.limited], [.path, .unknown, .target], down: down.subtracting(tunnelled), perhaps: down)
        }
        if faults.contains(.familyCut) { return Truth([.limited], [.uplink], down: down) }
        if faults.contains(.tunnelCut) {
            // Of those behind it nothing is known.
            return Truth([.limited], [.path, .target], down: down.subtracting(tunnelled ?? []), perhaps: down)
        }
        if faults.contains(.clock), hasSecure {
            let plain = down.filter { watched[$0].transport != .secure }
            // One certificate alone may be old.
            if !own.contains(where: { watched[$0].role == .target }), down.count > plain.count {
                return Truth([.limited], [.host, .target], perhaps: Set(own))
            }
            return Truth([.limited], [.host, .target], down: plain, perhaps: down)
        }
        if !own.contains(where: { watched[$0].role == .target }) { return truthOfReferences(down: down) }
        return down.isEmpty ? .full : Truth([.limited], [.target], down: down)
    }

    /// What may be told where only references are watched, most of which have to be well of each kind.
    private func truthOfReferences(down: Set<Int>) -> Truth {
        let secure = down.count { watched[$0].transport == .secure }
        return secure < 2 && down.count - secure < 2
            ? Truth([.full], [nil], perhaps: down) : Truth([.limited], [.target], perhaps: down)
    }

    /// The targets behind a tunnel, where there is one.
    private var tunnelled: Set<Int>? {
        let own = watched.indices.filter { addresses["target\($0)"] == [Self.address(10, 8, 0, UInt8(1 + $0))] }
        return own.isEmpty ? nil : Set(own)
    }

    /// Whether it is plain without any other host what is wrong: some targets are, and not all.
    private func isPlain(_ down: Set<Int>, amid faults: Set<Fault>) -> Bool {
        down.count < watched.count { $0.role == .target && $0.addresses != [Self.box] }
            && faults.allSatisfy { if case .targets(_, .silent) = $0 { true } else { false } }
    }
}

extension Truth {
    /// The same where so many packets are lost that a target or a name server may be taken for dead.
    fileprivate func blurred(among targets: some Sequence<Int>) -> Truth {
        Truth(
            statuses.union([.limited]), culprits.union([.uplink, .target, .resolver]), perhaps: Set(targets),
            grace: grace)
    }

    fileprivate static func anything(of targets: some Sequence<Int>) -> Truth {
        Truth(
            [.none, .local, .portal, .limited, .unknown, .full],
            [nil, .path, .uplink, .resolver, .target, .host, .unknown], perhaps: Set(targets))
    }
}
