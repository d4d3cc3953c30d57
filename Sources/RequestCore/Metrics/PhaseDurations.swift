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

extension Phase {
    fileprivate var index: Int {
        switch self {
        case .resolve: 0
        case .connect: 1
        case .tls: 2
        case .processing: 3
        case .transfer: 4
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: Int64 {
        Int64(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }
}
