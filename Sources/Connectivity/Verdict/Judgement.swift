/// What the checks say together.
struct Judgement: Hashable, Sendable {
    var status: ConnectivityStatus
    var reason: ConnectivityReason?

    /// The judgement of a tally; nil while probes that could still turn it are under way.
    init?(_ tally: Tally, policy: ConnectivityPolicy) {
        let plain = GroupVerdict(references: tally[.plainReferences])
        let secure = GroupVerdict(secureReferences: tally[.secureReferences])
        let targets = GroupVerdict(targets: tally[.targets], policy: policy)
        if plain == .portal || (plain == .empty && targets == .portal) {
            self.init(.portal, .portal)
            return
        }
        let verdicts = [plain, secure, targets]
        guard !verdicts.contains(.open) else { return nil }
        if verdicts.allSatisfy({ $0 == .empty || $0 == .good }) {
            let isWhole = policy != .all || tally[.targets][.unasked] == 0
            // What this host may not ask does not count, and is not all that was asked for either.
            self.init(isWhole ? .full : .limited, isWhole ? nil : .notPermitted)
        } else if tally.answered == 0 {
            self.init(.local)
        } else {
            self.init(.limited, Self.reason(plain, secure))
        }
    }

    init(_ status: ConnectivityStatus, _ reason: ConnectivityReason? = nil) {
        self.status = status
        self.reason = reason
    }

    private static func reason(_ plain: GroupVerdict, _ secure: GroupVerdict) -> ConnectivityReason? {
        if plain == .good, secure == .bad || secure == .portal { return .secureFailed }
        if plain != .bad, secure != .bad { return .targetsFailed }
        return nil
    }
}

/// What one group of checks says.
enum GroupVerdict: Hashable, Sendable {
    /// There is none in it.
    case empty
    /// Those still under way could turn it.
    case open
    case good
    case bad
    case portal

    /// References agree by majority: one operator's outage, or one that lies, decides nothing.
    init(references counts: Tally.Counts) {
        let majority = counts.total / 2 + 1
        self =
            if counts.total == 0 {
                .empty
            } else if counts[.up] >= majority {
                .good
            } else if counts[.portal] >= majority {
                .portal
            } else if counts[.pending] > 0 {
                .open
            } else {
                counts[.portal] > 0 && counts[.portal] >= counts[.up] ? .portal : .bad
            }
    }

    /// Over TLS nobody can answer in another's place: half of them suffice, so that one operator's outage of two is its own.
    init(secureReferences counts: Tally.Counts) {
        self = counts.total > 0 && counts[.up] * 2 >= counts.total ? .good : GroupVerdict(references: counts)
    }

    init(targets counts: Tally.Counts, policy: ConnectivityPolicy) {
        self =
            if counts.total == 0 {
                .empty
            } else if policy.isMet(by: counts) {
                .good
            } else if counts[.pending] > 0 {
                .open
            } else {
                counts[.portal] > 0 && counts[.portal] >= counts[.up] ? .portal : .bad
            }
    }
}

extension ConnectivityPolicy {
    func isMet(by counts: Tally.Counts) -> Bool {
        switch self {
        case .all: counts[.up] == counts.total
        case .any: counts[.up] > 0
        case .quorum(let number): counts[.up] >= max(min(number, counts.total), 1)
        case .weight(let weight): counts.weightUp >= max(min(weight, counts.weight), 1)
        }
    }
}
