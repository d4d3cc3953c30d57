internal import EventLoop
internal import Evidence
internal import NetworkAddress
internal import Reachability

/// What a lane sends.
extension Lane {
    /// What a question of the assessor's becomes.
    enum Question {
        case probe(Probe)
        /// A host to be asked for a word.
        case touch(Touch)
        case name(NameQuestion)
        /// It cannot be sent: that is the answer.
        case answered(Answer)
    }

    func question(_ ask: Ask, over watched: WatchedPath) -> Question {
        switch ask.question {
        case .probe(let place, let addresses):
            if place > members.count { return witness(at: addresses, ask, watched) }
            let target = place < members.count ? watched.configuration.targets[members[place]] : watched.portalWitness
            return probe(target, addresses, ask, watched)
        case .touch(let host, let place): return .touch(touch(host, place, ask, watched))
        case .name(let name, let server):
            return .name(
                NameQuestion(
                    id: number(ask.id), name: name, server: server,
                    interface: key.interface ?? interface(ofName: ask, watched), family: key.family,
                    timeout: ask.timeout))
        }
    }

    private func probe(_ target: Target, _ addresses: [IPAddress], _ ask: Ask, _ watched: WatchedPath) -> Question {
        let family = key.family ?? target.family
        let usable = family.map { family in addresses.filter { $0.family == family } } ?? addresses
        guard !usable.isEmpty else {
            // A name without an address of the only family that its target may use.
            let isOwn = key == .route && target.family != nil && !addresses.isEmpty && target.role == .target
            return .answered(isOwn ? .wrong(.nameNotFound) : .inapplicable)
        }
        var probe = Probe(
            id: number(ask.id), target: target, interface: key.interface ?? watched.path.interface(for: target),
            family: family, timeout: ask.timeout)
        probe.due = ask.due
        probe.addresses = usable
        if target.eachAddress { probe.width = share.addresses }
        return .probe(probe)
    }

    /// A witness is only asked for a word.
    private func witness(at addresses: [IPAddress], _ ask: Ask, _ watched: WatchedPath) -> Question {
        guard let address = addresses.first else { return .answered(.inapplicable) }
        let way = network.ways.first { $0.reachesAll && $0.way.family == address.family }?.way
        guard let way else { return .answered(.noRoute) }
        return .touch(
            Touch(
                id: number(ask.id), host: Host(address: address, way: way), port: 443,
                isBound: watched.isBound(way, key), timeout: ask.timeout))
    }

    private func touch(_ host: Host, _ place: Int?, _ ask: Ask, _ watched: WatchedPath) -> Touch {
        let target = place.flatMap { $0 < members.count ? members[$0] : nil }
            .map { watched.configuration.targets[$0] }
        let isBelow = network.ways.contains { $0.reachesAll && $0.below.contains(host.way.interface) }
        var touch = Touch(
            id: number(ask.id), host: host, port: place == nil ? port(ofWitness: host) : target?.port,
            isBound: isBelow || watched.isBound(host.way, key), timeout: ask.timeout)
        touch.isEcho = target?.isEcho ?? false
        return touch
    }

    /// A network's own name server may let nothing else through. One of the Internet's is not asked at that port: a router whose
    /// line is dead may answer there in its place.
    private func port(ofWitness host: Host) -> UInt16 {
        host.address.isPrivate && network.nameServers.contains(host.address) ? 53 : 443
    }

    /// The interface that a name is looked up by, where all targets that have it are bound to one.
    private func interface(ofName ask: Ask, _ watched: WatchedPath) -> String? {
        guard watched.places.hasBound else { return nil }
        let bindings = assessor.targets(ofName: ask.id).map { place in
            watched.path.interface(
                for: place < members.count ? watched.configuration.targets[members[place]] : watched.portalWitness)
        }
        return Set(bindings).count == 1 ? bindings[0] : nil
    }

    // MARK: Numbers

    /// How many questions one lane may ask before its numbers would run into another's.
    private static let bits: UInt64 = 40

    /// A question's number among those of all lanes.
    func number(_ ask: Ask.ID) -> Probe.ID { serial << Self.bits | ask }

    static func split(_ id: Probe.ID) -> (serial: UInt64, ask: Ask.ID) {
        (id >> bits, id & (1 << bits - 1))
    }
}
