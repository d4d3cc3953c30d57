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

        subscript(standing: Standing) -> Int { byStanding[standing.rawValue] }

        /// How many say something: all but those that do not apply.
        var total: Int { byStanding.reduce(0, +) - self[.skipped] }

        /// How many could still answer.
        var possibleWitnesses: Int { total - self[.down] }

        /// How many were answered by something.
        var answered: Int { self[.up] + self[.wrong] + self[.portal] }

        mutating func add(_ standing: Standing, weight: Int, _ count: Int) {
            byStanding[standing.rawValue] += count
            if standing == .up { weightUp += weight * count }
        }
    }

    private var groups = [Counts](repeating: Counts(), count: Group.allCases.count)

    subscript(group: Group) -> Counts { groups[group.rawValue] }

    mutating func add(_ check: Check) {
        groups[check.group.rawValue].add(check.standing, weight: check.target.weight, 1)
    }

    mutating func remove(_ check: Check) {
        groups[check.group.rawValue].add(check.standing, weight: check.target.weight, -1)
    }

    func total(_ standing: Standing) -> Int {
        groups.reduce(0) { $0 + $1[standing] }
    }

    var answered: Int { groups.reduce(0) { $0 + $1.answered } }
}
