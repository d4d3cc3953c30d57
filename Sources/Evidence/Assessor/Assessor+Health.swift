package import EventLoop
package import NetworkAddress

/// What is known now, for those who ask.
extension Assessor {
    /// What is known of a target now: its state counts only in the generation of its way that it was found in.
    package func health(of target: Int) -> Health {
        guard network.isReachable || network.near.contains(target) else { return Self.withoutPath }
        if portal.stands { return Health(.unknown, .uplink, .portal) }
        if let failure = names.failure, let name = names.index(of: target),
            !(names[name].goodAt.map { $0 >= failure.since } ?? false)
        {
            return failure.culprit == .resolver || failure.reason == .noRoute
                ? Health(.down, failure.culprit, failure.reason) : Health(.unknown, failure.culprit, .silent)
        }
        if clock.isWrong, settings.targets[target].transport == .secure { return Health(.unknown, .host, .clock) }
        if let death = targets[target].way.flatMap({ ways[$0].death }) {
            return Health(.unknown, death.culprit, .silent)
        }
        return switch isCurrent(target) ? targets[target].known : nil {
        case .up?: Health(.up)
        case .down(let culprit, let reason)?: Health(.down, culprit, reason)
        case .unsent?: Health(.unknown, .host, .unsent)
        case .inapplicable?: Health(.unknown)
        // It was never found anywhere, perhaps because nothing can be.
        case nil: cutOff(target).map { Health(.unknown, $0.culprit, .silent) } ?? Health(.unknown)
        }
    }

    private static let withoutPath = Health(.unknown, .path, .noPath)

    /// What is known of each target where it is the same of all: there is no path to any, or nothing wrong, or nothing is known
    /// yet. Nil where they may differ. Of thousands, each is not looked at then.
    var commonHealth: Health? {
        guard network.isReachable else { return network.near.isEmpty ? Self.withoutPath : nil }
        guard !portal.stands, names.failure == nil, !clock.isWrong else { return nil }
        let tally = tally
        if tally.up == total { return Health(.up) }
        return tally.known + tally.inapplicable == 0 && !ways.contains(where: \.isDead) ? Health(.unknown) : nil
    }

    /// Whether what is known of a target was found in the present generation of its way.
    func isCurrent(_ target: Int) -> Bool {
        // Not the state as a whole: a copy of it costs more than all that is looked at, and thousands are.
        let (way, generation) = (targets[target].way, targets[target].generation)
        return way.map { ways[$0].generation == generation && ways[$0].isPresent } ?? (generation == nowhere.generation)
    }

    /// What is known of each. One that is asked for while something is changed is a copy of all that is known.
    package var healthOfAll: [Health] {
        commonHealth.map { Array(repeating: $0, count: targets.count) } ?? targets.indices.map(health)
    }

    /// The targets that are not up, in their order.
    package var notUp: [Int] {
        commonHealth?.status == .up ? [] : targets.indices.filter { health(of: $0).status != .up }
    }

    /// The host that was heard over a target's way while it was silent: another, never the accused. Nil where none was.
    package func witness(against target: Int) -> (address: IPAddress, target: Int?)? {
        let own = targets[target].hosts
        guard let way = targets[target].way ?? own.last.map({ hosts[$0].way }) else { return nil }
        let last = ways[way].witness.flatMap { own.contains($0) || isAccused($0) ? nil : $0 }
        // A host that is asked at the same time, where no other is on the way itself: a host beyond the gateway of its link.
        let others = [way] + kin(of: way)
        let heard = last ?? others.lazy.compactMap { latest(of: $0, besides: own) }.first
        // Where each that answers is accused itself, its word proves the way all the same.
        guard let heard = heard ?? ways[way].witness.flatMap({ own.contains($0) ? nil : $0 }) else { return nil }
        return (hosts[heard].address, hosts[heard].targets.first)
    }

    /// Who was heard last over a way that is not accused, besides some.
    private func latest(of way: Int, besides own: [Int]) -> Int? {
        var (next, steps) = (ways[way].hosts.first, 0)
        while let host = next, steps <= own.count + Rules.rotated {
            if !own.contains(host), hosts[host].heard != nil, !isAccused(host) { return host }
            (next, steps) = (ways[way].hosts.after(host), steps + 1)
        }
        return nil
    }

    /// Whether a host is some target's that is not well, and no other's: it is no witness against another.
    private func isAccused(_ host: Int) -> Bool {
        let targets = hosts[host].targets.prefix(Rules.row)
        return !targets.isEmpty && targets.allSatisfy { health(of: $0).status == .down }
    }

    package var verdict: Verdict? { publication.told }

    /// Whether it is by the dates of answers alone that this host's clock is known to be wrong.
    package var isClockShownByDate: Bool { clock.isShownByDate }

    /// Since when a way that traffic leaves by is doubted.
    package var suspectSince: MonotonicTime? {
        generalWays.lazy.compactMap { ways[$0].suspected }.min()
    }

    // MARK: What others ask

    /// All questions that have not ended.
    package var underWay: [Ask.ID] { open.keys.sorted() }

    /// Whether the kernel had a way for anything of a question under way.
    package func hasSent(_ ask: Ask.ID) -> Bool { open[ask]?.exchanges.isEmpty == false }

    /// Which target a question under way is put to; nil for a touch, a look-up, and what is not under way.
    package func target(of ask: Ask.ID) -> Int? {
        guard case .probe(let target, _)? = open[ask]?.ask.question else { return nil }
        return target
    }

    /// The targets of the name that a question under way is about.
    package func targets(ofName ask: Ask.ID) -> [Int] {
        names.index(asked: ask).map { names[$0].targets } ?? []
    }

    /// Since when nothing is heard over any of the ways that traffic leaves by; nil while something is.
    package var silentSince: MonotonicTime? {
        var first: MonotonicTime?
        for way in generalWays {
            guard let since = ways[way].silentSince else { return nil }
            first = min(first ?? since, since)
        }
        return first
    }

    /// When something was sent last that was answered over a way that traffic leaves by.
    package var heardAt: MonotonicTime? { generalWays.lazy.compactMap { ways[$0].heard }.max() }

    /// The interface of the ways to targets that are dead, where it is one.
    package var deadInterface: String? {
        let dead = ways.indices.filter { ways[$0].isDead && ways[$0].isPresent && isUsed($0) }
        let interfaces = Set(dead.map { ways[$0].way.interface })
        return interfaces.count == 1 ? interfaces.first : nil
    }

    /// The family that is dead where the other is not.
    package var deadFamily: AddressFamily? {
        let dead = Set(generalWays.lazy.filter { ways[$0].isDead }.map { ways[$0].way.family })
        return dead.count == 1 ? dead.first : nil
    }
}
