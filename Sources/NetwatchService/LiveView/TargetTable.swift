import Connectivity
import NetworkAddress
import Reachability

/// What is known of each target, gathered from events and from the results between them.
struct TargetTable: Sendable {
    /// One target over one way.
    struct Row: Sendable {
        /// The target, with the interface it was asked through.
        let name: String
        /// Whether it is not known to be up or down.
        let isUnknown: Bool
        /// What the verdict rests on where it is not up.
        let evidence: String?
        var result: ProbeResult?
        var history = ProbeHistory()

        var isBad: Bool { result.map { $0.outcome == .failure || $0.outcome == .portal } ?? false }
    }

    private struct Way: Hashable, Sendable {
        let interface: String?
        let family: AddressFamily?
    }

    private struct Entry: Sendable {
        var health: TargetHealth
        /// In the order in which they came.
        var ways: [(way: Way, result: ProbeResult, history: ProbeHistory)] = []
    }

    private var entries: [String: Entry] = [:]
    /// The names as they were told first.
    private var order: [String] = []

    /// Takes in what an event tells. A snapshot tells of all targets there are; any other may leave some out.
    mutating func take(_ event: Event) {
        if event.kind == .snapshot { keepOnly(event.targets.map(\.target)) }
        for health in event.targets {
            if entries[health.target] == nil { order.append(health.target) }
            entries[health.target, default: Entry(health: health)].health = health
        }
        event.probes.forEach { record($0) }
        let names = Set(event.path.interfaces.map(\.name))
        for name in order {
            entries[name]?.ways.removeAll { way, _, _ in way.interface.map { !names.contains($0) } ?? false }
        }
    }

    private mutating func keepOnly(_ names: [String]) {
        let names = Set(names)
        order.removeAll { !names.contains($0) }
        entries = entries.filter { names.contains($0.key) }
    }

    /// Takes a result in.
    mutating func record(_ result: ProbeResult) {
        guard result.outcome != .cancelled else { return }
        if entries[result.target] == nil {
            order.append(result.target)
            entries[result.target] = Entry(health: TargetHealth(target: result.target, status: .unknown))
        }
        let way = Way(interface: result.interface, family: result.family)
        if let index = entries[result.target]?.ways.firstIndex(where: { $0.way == way }) {
            guard let last = entries[result.target]?.ways[index].result, result.time >= last.time else { return }
            entries[result.target]?.ways[index].result = result
            entries[result.target]?.ways[index].history.record(result)
        } else {
            var history = ProbeHistory()
            history.record(result)
            entries[result.target]?.ways.append((way, result, history))
        }
    }

    var isEmpty: Bool { order.isEmpty }

    /// The rows in the order of the targets; those that fail first where they are too many to be seen at once.
    func rows(room: Int) -> [Row] {
        let rows = order.flatMap { entries[$0].map(Self.rows) ?? [] }
        guard rows.count > room else { return rows }
        return rows.filter(\.isBad) + rows.filter { !$0.isBad }
    }

    private static func rows(_ entry: Entry) -> [Row] {
        let health = entry.health
        let isUnknown = health.status == .unknown
        guard !entry.ways.isEmpty else {
            return [Row(name: health.target, isUnknown: health.since != nil, evidence: health.evidence)]
        }
        return entry.ways.map { way, result, history in
            // The family tells ways apart; a single one need not be named.
            let family = entry.ways.count > 1 ? way.family?.words : nil
            let place = [way.interface, family].compactMap { $0 }
            return Row(
                name: place.isEmpty ? health.target : "\(health.target) (\(place.joined(separator: " ")))",
                isUnknown: isUnknown, evidence: health.evidence, result: result, history: history)
        }
    }
}
