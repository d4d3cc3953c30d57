internal import Evidence
internal import NetworkAddress

/// A host to which one thing after another happens by chance, two at most at the same time.
///
/// What the situations do not think of: a verdict may be right after each fault alone, and wrong after one of them has met what
/// another has left.
package enum Walk {
    /// For how long what was so before may still be told, in seconds, and how long all that is so is waited for.
    private static let (grace, rest) = (30.0, 75.0)
    private static let steps = 8

    package static let situation = Situation("a walk", seconds: Double(steps + 2) * (rest + 10)) { world in
        world.settleDown()
        var (time, faults, past) = (0.0, Set<Fault>(), [(until: Double, faults: Set<Fault>)]())
        for step in 0...steps {
            past = past.filter { $0.until > time } + [(time + grace, faults)]
            faults = step == steps ? [] : world.next(after: faults)
            let isShort = step < steps && Int.random(in: 0..<3, using: &world.random) == 0
            let length = isShort ? Double.random(in: 1..<15, using: &world.random) : rest
            world.walk(from: time, for: length, faults, past: past.map(\.faults))
            time += length
        }
    }
}

extension World {
    /// What is different from host to host.
    fileprivate mutating func settleDown() {
        let counts = [1, 1, 2, 3, 5, 5, 9, 20]
        let names: [Names] = [.behind, .onLink, .router]
        home(
            targets: counts.randomElement(using: &random) ?? 5, names: names.randomElement(using: &random) ?? .behind,
            ipv6: Bool.random(using: &random), interval: [2, 5, 5, 10].randomElement(using: &random) ?? 5)
        if Int.random(in: 0..<4, using: &random) == 0 {
            for target in watched.indices where watched[target].role == .target { makeSecure(target) }
        }
        if Int.random(in: 0..<4, using: &random) == 0 { forgetNames() }
        if Int.random(in: 0..<4, using: &random) == 0 { wait(seconds: 1) }
        if Int.random(in: 0..<6, using: &random) == 0 { closeOff() }
        if Int.random(in: 0..<4, using: &random) == 0 { addBox() }
    }

    /// One fault more or less.
    fileprivate mutating func next(after faults: Set<Fault>) -> Set<Fault> {
        let known = faults.sorted { "\($0)" < "\($1)" }
        if faults.count == 2 || (!faults.isEmpty && Bool.random(using: &random)) {
            return faults.subtracting([known.randomElement(using: &random)].compactMap(\.self))
        }
        return faults.union([anyFault()])
    }

    private mutating func anyFault() -> Fault {
        let own = watched.indices.filter { watched[$0].role == .target }
        if Int.random(in: 0..<8, using: &random) == 0 { return Bool.random(using: &random) ? .stop : .sleep }
        let count = Int.random(in: 1...own.count, using: &random)
        var moods: [Server.Mood] = [
            .silent, .silent, .refuses, .unexpected, .redirects, .connectsOnly, .unreachable, .resets,
        ]
        let targets = Set(own.shuffled(using: &random).prefix(count))
        if targets.allSatisfy({ watched[$0].transport == .secure }) { moods += [.expired, .forged] }
        let dying = Fault.targets(targets, moods.randomElement(using: &random) ?? .silent)
        let names = Fault.names(Fault.Names.allCases.randomElement(using: &random) ?? .silent)
        let portal = Fault.portal([.drops, .resets, .forges].randomElement(using: &random) ?? .drops)
        var all = [.cut, .tells, portal, .unreachable, dying, dying, .clock, .descriptors]
        if lines.contains(where: { $0.way.family == .ipv6 }) { all.append(.familyCut) }
        if watched.contains(where: { $0.role == .target && $0.name != nil }) { all.append(names) }
        return all.randomElement(using: &random) ?? .cut
    }

    /// One step: what was so a while ago may be told for a moment, and only what is so at the end of a long one.
    fileprivate mutating func walk(from time: Double, for length: Double, _ faults: Set<Fault>, past: [Set<Fault>]) {
        let truth = truth(amid: faults)
        // Of all that was wrong lately any part may be known.
        let open = past.reduce(faults) { $0.union($1) }.parts.reduce(truth) { $0.or(self.truth(amid: $1)) }
        at(time) { world in
            if world.isTracing { print("   \(time) for \(length): \(faults)") }
            world.become(open)
            world.suffer(faults)
        }
        guard length > 30 else { return }
        at(time + 30) { $0.hold(truth) }
        at(time + length - 0.001) { $0.check(amid: faults) }
    }
}

extension Truth {
    /// Either may be told.
    fileprivate func or(_ other: Truth) -> Truth {
        Truth(
            statuses.union(other.statuses), culprits.union(other.culprits), perhaps: mayBeDown.union(other.mayBeDown),
            grace: 30)
    }
}

extension Set {
    /// Each set of some of them.
    fileprivate var parts: [Set] { reduce([[]]) { parts, element in parts + parts.map { $0.union([element]) } } }
}
