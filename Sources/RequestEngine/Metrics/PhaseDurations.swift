/// How long each phase took that was entered, in nanoseconds.
///
/// Reads as a dictionary does, and needs no memory of its own: one is kept for every request, and one that was allocated on
/// the thread of a probe would have to be freed under that thread's lock by the thread that takes the result.
public struct PhaseDurations: Sendable {
    /// In the order of ``Phase``'s cases.
    private var nanoseconds: [5 of UInt64] = .init(repeating: Self.notEntered)

    private static let notEntered = UInt64.max

    /// No phase was entered.
    public init() {}

    /// The time a phase took; nil where it was not entered.
    public subscript(phase: Phase) -> UInt64? {
        get {
            let value = nanoseconds[phase.index]
            return value == Self.notEntered ? nil : value
        }
        set { nanoseconds[phase.index] = newValue ?? Self.notEntered }
    }

    /// Counts a time; one below zero counts as zero.
    mutating func add(_ nanoseconds: Int64, to phase: Phase) {
        self[phase] = (self[phase] ?? 0) + UInt64(clamping: nanoseconds)
    }

    /// The phases that were entered, in their order.
    public var keys: [Phase] { Phase.allCases.filter { self[$0] != nil } }

    /// What they took, in the same order.
    public var values: [UInt64] { Phase.allCases.compactMap { self[$0] } }

    public var isEmpty: Bool { Phase.allCases.allSatisfy { self[$0] == nil } }
}

extension PhaseDurations: Hashable {
    public static func == (left: Self, right: Self) -> Bool {
        Phase.allCases.allSatisfy { left[$0] == right[$0] }
    }

    public func hash(into hasher: inout Hasher) {
        for phase in Phase.allCases { hasher.combine(self[phase]) }
    }
}

extension PhaseDurations: ExpressibleByDictionaryLiteral {
    public init(dictionaryLiteral elements: (Phase, UInt64)...) {
        for (phase, nanoseconds) in elements { self[phase] = nanoseconds }
    }
}

extension PhaseDurations: Sequence {
    public func makeIterator() -> some IteratorProtocol<(phase: Phase, nanoseconds: UInt64)> {
        Phase.allCases.lazy.compactMap { phase in self[phase].map { (phase: phase, nanoseconds: $0) } }.makeIterator()
    }
}

/// An object with a member for each phase that was entered.
extension PhaseDurations: Codable {
    public init(from decoder: any Decoder) throws {
        for (phase, nanoseconds) in try [Phase: UInt64](from: decoder) { self[phase] = nanoseconds }
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: PhaseKey.self)
        for (phase, nanoseconds) in self { try container.encode(nanoseconds, forKey: PhaseKey(phase)) }
    }

    private struct PhaseKey: CodingKey {
        let stringValue: String
        var intValue: Int? { nil }

        init(_ phase: Phase) { stringValue = phase.rawValue }
        init?(stringValue: String) { self.stringValue = stringValue }
        init?(intValue: Int) { nil }
    }
}

extension PhaseDurations {
    /// The same as durations.
    var dictionary: [Phase: Duration] {
        get {
            var dictionary: [Phase: Duration] = [:]
            for (phase, nanoseconds) in self { dictionary[phase] = .nanoseconds(Int64(clamping: nanoseconds)) }
            return dictionary
        }
        set {
            for phase in Phase.allCases { self[phase] = newValue[phase].map(\.nanoseconds) }
        }
    }
}

extension Duration {
    fileprivate var nanoseconds: UInt64 {
        UInt64(clamping: Int128(components.seconds) * 1_000_000_000 + Int128(components.attoseconds / 1_000_000_000))
    }
}
