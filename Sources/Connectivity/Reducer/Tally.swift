/// How many checks stand how, kept up to date with each change so that a verdict costs the same with 10,000 targets.
struct Tally: Hashable, Sendable {
    /// Checks that are judged together.
    enum Group: Int, Hashable, Sendable, CaseIterable {
        case plainReferences
        case secureReferences
        case targets

        init(_ target: Target) {
            self =
                switch target.role {
                case .target: .targets
                case .reference: target.isSecure ? .secureReferences : .plainReferences
                }
        }
    }

    struct Counts: Hashable, Sendable {
        private var byStanding = [Int](repeating: 0, count: Standing.allCases.count)
        /// The weights of those that are up.
        private(set) var weightUp = 0
        /// The weights of all that say something.
        private(set) var weight = 0

        subscript(standing: Standing) -> Int { byStanding[standing.rawValue] }

        /// How many are on this host's own link, of those that say something, and of those that could still answer.
        private(set) var near = 0
        private var nearWitnesses = 0

        /// How many say something: all but those that do not apply.
        var total: Int { byStanding.reduce(0, +) - self[.skipped] - self[.unasked] }

        /// How many could still answer.
        ///
        /// - Parameter isFar: Whether those do not count that are on this host's own link.
        func possibleWitnesses(isFar: Bool) -> Int { total - self[.down] - (isFar ? nearWitnesses : 0) }

        /// How many were answered by something.
        var answered: Int { self[.up] + self[.wrong] + self[.portal] }

        mutating func add(_ check: Check, _ count: Int) {
            byStanding[check.standing.rawValue] += count
            if check.standing == .up { weightUp += check.target.weight * count }
            if !check.standing.saysNothing { weight += check.target.weight * count }
            guard check.isNear, !check.standing.saysNothing else { return }
            near += count
            if check.standing != .down { nearWitnesses += count }
        }
    }

    private var groups = [Counts](repeating: Counts(), count: Group.allCases.count)

    /// What the checks have failed for.
    private(set) var reasons = FailureReasons()

    subscript(group: Group) -> Counts { groups[group.rawValue] }

    mutating func add(_ check: Check) {
        add(check, 1)
    }

    mutating func remove(_ check: Check) {
        add(check, -1)
    }

    private mutating func add(_ check: Check, _ count: Int) {
        groups[check.group.rawValue].add(check, count)
        reasons.add(check.result?.reason, isUp: check.standing == .up, count)
    }

    func total(_ standing: Standing) -> Int {
        groups.reduce(0) { $0 + $1[standing] }
    }

    /// Whether some are on this host's own link and others are not, so that those say nothing of these.
    var isMixed: Bool { groups.contains { $0.near > 0 } && groups.contains { $0.total > $0.near } }

    var answered: Int { groups.reduce(0) { $0 + $1.answered } }
}
