/// The time spent in each phase, without an allocation: one is kept for every request.
struct PhaseDurations: Sendable {
    /// Nanoseconds in the order of ``Phase``'s cases; negative where the phase was not entered.
    private var nanoseconds: [5 of Int64] = .init(repeating: -1)

    subscript(phase: Phase) -> Int64? {
        get {
            let value = nanoseconds[phase.index]
            return value < 0 ? nil : value
        }
        set { nanoseconds[phase.index] = newValue.map { max(0, $0) } ?? -1 }
    }

    mutating func add(_ nanoseconds: Int64, to phase: Phase) {
        self[phase] = (self[phase] ?? 0) + nanoseconds
    }

    /// The nanoseconds of the phases that were entered.
    var counts: [Phase: UInt64] {
        var counts: [Phase: UInt64] = [:]
        counts.reserveCapacity(Phase.allCases.count)
        for phase in Phase.allCases { counts[phase] = self[phase].map { UInt64($0) } }
        return counts
    }

    /// The phases that were entered.
    var dictionary: [Phase: Duration] {
        get {
            Dictionary(
                uniqueKeysWithValues: Phase.allCases.compactMap { phase in
                    self[phase].map { (phase, .nanoseconds($0)) }
                })
        }
        set {
            for phase in Phase.allCases { self[phase] = newValue[phase].map(\.nanoseconds) }
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        Int64(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }
}
