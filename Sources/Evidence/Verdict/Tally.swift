/// How many targets stand how, so that a verdict costs the same with 10,000.
struct Tally: Sendable {
    enum Group: Int, CaseIterable, Sendable {
        case plainReferences, secureReferences, targets

        init(_ watched: Watched) {
            self =
                watched.role == .target ? .targets : watched.transport == .secure ? .secureReferences : .plainReferences
        }
    }

    struct Counts: Hashable, Sendable {
        var up = 0
        var down = 0
        var unsent = 0
        var weightUp = 0
        var known: Int { up + down + unsent }

        static func += (sum: inout Counts, other: Counts) {
            sum.up += other.up
            sum.down += other.down
            sum.unsent += other.unsent
            sum.weightUp += other.weightUp
        }
    }

    private var groups = [Counts](repeating: Counts(), count: Group.allCases.count)

    subscript(group: Group) -> Counts { groups[group.rawValue] }

    var up: Int { groups.reduce(0) { $0 + $1.up } }
    var down: Int { groups.reduce(0) { $0 + $1.down } }
    var unsent: Int { groups.reduce(0) { $0 + $1.unsent } }
    var known: Int { groups.reduce(0) { $0 + $1.known } }

    mutating func count(_ known: TargetState.Known?, _ watched: Watched, by step: Int) {
        let group = Group(watched).rawValue
        switch known {
        case .up?:
            groups[group].up += step
            groups[group].weightUp += step * watched.weight
        case .down?: groups[group].down += step
        case .unsent?: groups[group].unsent += step
        case nil: break
        }
    }

    static func += (sum: inout Tally, other: Tally) {
        for group in Group.allCases.map(\.rawValue) { sum.groups[group] += other.groups[group] }
    }
}
