internal import Evidence
internal import NetworkAddress

/// A host to which one thing after another happens by chance, two at most at the same time.
///
/// What the situations do not think of: a verdict may be right after each fault alone, and wrong after one of them has met what
/// another has left.
package struct Walk: Sendable {
    private static let steps = 8

    /// For how long what was so before may still be told, in seconds.
    private let grace: Double
    /// How long is waited for all that is so to be told.
    private let rest: Double

    /// With targets of its own.
    package static let situation = Walk(grace: 30, rest: 75).situation("a walk") { $0.settleDown() }

    package static let situations = [
        situation,
        Walk(grace: 90, rest: 150).situation("a walk with the defaults") { $0.settleDownWithDefaults() },
        Walk(grace: 30, rest: 75).situation("a walk with a tunnel") { $0.settleDownWithTunnel() },
        Walk(grace: 80, rest: 120).situation("a walk with losses") { world in
            world.settleDown()
            world.losesPackets = true
        },
    ]

    private func situation(_ name: String, _ settleDown: @escaping @Sendable (inout World) -> Void) -> Situation {
        Situation(name, seconds: Double(Self.steps + 2) * (rest + 10)) { world in
            settleDown(&world)
            var (time, faults, past) = (0.0, [Fault](), [(until: Double, faults: [Fault])]())
            for step in 0...Self.steps {
                past = past.filter { $0.until > time } + [(time + grace, faults)]
                faults = step == Self.steps ? [] : world.next(after: faults)
                let isShort = step < Self.steps && Int.random(in: 0..<3, using: &world.random) == 0
                let length = isShort ? Double.random(in: 1..<15, using: &world.random) : rest
                take(time, length, faults, past: past.map(\.faults), &world)
                time += length
            }
        }
    }

    /// One step: what was so a while ago may be told for a moment, and only what is so at the end of a long one.
    private func take(
        _ time: Double, _ length: Double, _ faults: [Fault], past: [[Fault]], _ world: inout World
    ) {
        let truth = world.truth(amid: Set(faults))
        // Of all that was wrong lately any part may be known.
        let parts = past.reduce(Set(faults)) { $0.union($1) }.parts
        let open = parts.reduce(truth) { $0.or(world.truth(amid: $1), grace: grace) }
        world.at(time) { world in
            if world.isTracing { print("   \(time) for \(length): \(faults)") }
            world.become(open)
            world.suffer(faults)
        }
        guard length == rest else { return }
        world.at(time + grace) { $0.hold(truth) }
        world.at(time + length - 0.001) { $0.check(amid: faults) }
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
        if isLucky(4) { for target in watched.indices where watched[target].role == .target { makeSecure(target) } }
        if isLucky(4) { forgetNames() }
        if isLucky(4) { wait(seconds: 1) }
        if isLucky(6) { closeOff() }
        if isLucky(4) { addBox() }
    }

    fileprivate mutating func settleDownWithDefaults() {
        let names: [Names] = [.behind, .onLink, .router]
        let ipv6 = Bool.random(using: &random)
        homeOfReferences(names: names.randomElement(using: &random) ?? .behind, ipv6: ipv6)
    }

    fileprivate mutating func settleDownWithTunnel() {
        let names: [Names] = [.behind, .onLink, .router]
        home(names: names.randomElement(using: &random) ?? .behind)
        addTunnel(isFull: false, targets: 3..<5)
        if isLucky(4) { forgetNames() }
    }

    private mutating func isLucky(_ count: Int) -> Bool { Int.random(in: 0..<count, using: &random) == 0 }

    /// One fault more or less.
    fileprivate mutating func next(after faults: [Fault]) -> [Fault] {
        if faults.count == 2 || (!faults.isEmpty && Bool.random(using: &random)) {
            let over = Int.random(in: faults.indices, using: &random)
            return faults.indices.filter { $0 != over }.map { faults[$0] }
        }
        let new = anyFault()
        return faults.contains(new) ? faults : faults + [new]
    }

    private mutating func anyFault() -> Fault {
        if isLucky(8) { return Bool.random(using: &random) ? .stop : .sleep }
        let names = Fault.names(Fault.Names.allCases.randomElement(using: &random) ?? .silent)
        let portal = Fault.portal([.drops, .resets, .forges].randomElement(using: &random) ?? .drops)
        let dying = dyingTargets()
        var all = [.cut, .tells, portal, .unreachable, dying, dying, .clock, .descriptors]
        if lines.contains(where: { $0.way.family == .ipv6 }) { all.append(.familyCut) }
        if lines.contains(where: { $0.below != nil }) { all += [.tunnelCut, .tunnelCut] }
        if losesPackets { all += [.loss, .loss, .loss] }
        if watched.contains(where: { $0.role != .witness && $0.name != nil }) { all.append(names) }
        return all.randomElement(using: &random) ?? .cut
    }

    private mutating func dyingTargets() -> Fault {
        let own = watched.indices.filter { watched[$0].role != .witness }
        // Of the references no more than a portal could not have answered for.
        let most = own.contains { watched[$0].role == .reference } ? 2 : own.count
        let targets = own.shuffled(using: &random).prefix(Int.random(in: 1...most, using: &random))
        var moods: [Server.Mood] = [
            .silent, .silent, .refuses, .unexpected, .redirects, .connectsOnly, .unreachable, .resets,
        ]
        if targets.allSatisfy({ watched[$0].transport == .secure }) { moods += [.expired, .forged] }
        return .targets(targets.sorted(), moods.randomElement(using: &random) ?? .silent)
    }
}

extension Truth {
    /// Either may be told.
    fileprivate func or(_ other: Truth, grace: Double) -> Truth {
        Truth(
            statuses.union(other.statuses), culprits.union(other.culprits), perhaps: mayBeDown.union(other.mayBeDown),
            grace: grace)
    }
}

extension Set {
    /// Each set of some of them.
    fileprivate var parts: [Set] { reduce([[]]) { parts, element in parts + parts.map { $0.union([element]) } } }
}
