/// How many targets stand how, so that a verdict costs the same with 10,000.
struct Tally: Hashable, Sendable {
    enum Group: Sendable {
        case plainReferences, secureReferences, targets

        init(_ watched: Watched) {
            self =
                watched.role == .target ? .targets : watched.transport == .secure ? .secureReferences : .plainReferences
        }
    }

    struct Counts: Hashable, Sendable {
        fileprivate(set) var up = 0
        fileprivate(set) var down = 0
        /// Of those that are down, by no fault of their own.
        fileprivate(set) var byHost = 0
        fileprivate(set) var byPath = 0
        fileprivate(set) var byResolver = 0
        fileprivate(set) var unsent = 0
        fileprivate(set) var inapplicable = 0
        fileprivate(set) var weightUp = 0

        /// How many say something.
        var known: Int { up + down + unsent }

        fileprivate static func += (sum: inout Counts, other: Counts) {
            sum.up += other.up
            sum.down += other.down
            sum.byHost += other.byHost
            sum.byPath += other.byPath
            sum.byResolver += other.byResolver
            sum.unsent += other.unsent
            sum.inapplicable += other.inapplicable
            sum.weightUp += other.weightUp
        }

        fileprivate mutating func count(_ known: TargetState.Known, weight: Int, by step: Int) {
            switch known {
            case .up: (up, weightUp) = (up + step, weightUp + step * weight)
            case .down(let culprit, _):
                down += step
                if culprit == .host { byHost += step }
                if culprit == .path { byPath += step }
                if culprit == .resolver { byResolver += step }
            case .unsent: unsent += step
            case .inapplicable: inapplicable += step
            }
        }
    }

    private(set) var plainReferences = Counts()
    private(set) var secureReferences = Counts()
    private(set) var targets = Counts()

    var up: Int { plainReferences.up + secureReferences.up + targets.up }
    var down: Int { plainReferences.down + secureReferences.down + targets.down }
    var unsent: Int { plainReferences.unsent + secureReferences.unsent + targets.unsent }
    var known: Int { up + down + unsent }
    var inapplicable: Int { plainReferences.inapplicable + secureReferences.inapplicable + targets.inapplicable }

    /// Whose fault it is that some are down.
    var culprit: Culprit {
        let all = [plainReferences, secureReferences, targets]
        if all.contains(where: { $0.byHost > 0 }) { return .host }
        if all.contains(where: { $0.byPath > 0 }) { return .path }
        return all.contains { $0.byResolver > 0 } ? .resolver : .target
    }

    mutating func count(_ known: TargetState.Known?, _ watched: Watched, by step: Int) {
        guard let known else { return }
        switch Group(watched) {
        case .plainReferences: plainReferences.count(known, weight: watched.weight, by: step)
        case .secureReferences: secureReferences.count(known, weight: watched.weight, by: step)
        case .targets: targets.count(known, weight: watched.weight, by: step)
        }
    }

    static func += (sum: inout Tally, other: Tally) {
        sum.plainReferences += other.plainReferences
        sum.secureReferences += other.secureReferences
        sum.targets += other.targets
    }
}
