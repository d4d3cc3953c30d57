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

        init(_ result: ProbeResult) {
            interface = result.interface
            family = result.family
        }
    }

    private struct Asked: Sendable {
        let way: Way
        var result: ProbeResult
        var history = ProbeHistory()
        /// Whether it is asked by this way now: its row would stand as it was last for ever.
        var isCurrent = true

        mutating func record(_ new: ProbeResult) {
            (result, isCurrent) = (new, true)
            history.record(new)
        }
    }

    private struct Entry: Sendable {
        var health: TargetHealth
        /// In the order in which they came.
        var ways: [Asked] = []
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
        let asked = Dictionary(grouping: event.probes, by: \.target).mapValues { Set($0.map { Way($0) }) }
        for name in order {
            entries[name]?.ways.removeAll { $0.way.interface.map { !names.contains($0) } ?? false }
            // What its losses were stays known where it is asked again.
            guard let current = asked[name], var entry = entries[name] else { continue }
            for index in entry.ways.indices { entry.ways[index].isCurrent = current.contains(entry.ways[index].way) }
            entries[name] = entry
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
        let way = Way(result)
        if let index = entries[result.target]?.ways.firstIndex(where: { $0.way == way }) {
            guard let last = entries[result.target]?.ways[index].result, result.time >= last.time else { return }
            entries[result.target]?.ways[index].record(result)
        } else {
            var asked = Asked(way: way, result: result)
            asked.record(result)
            entries[result.target]?.ways.append(asked)
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
        let ways = entry.ways.filter(\.isCurrent)
        guard !ways.isEmpty else {
            return [Row(name: health.target, isUnknown: health.since != nil, evidence: health.evidence)]
        }
        return ways.map { asked in
            // The family tells ways apart; a single one need not be named.
            let family = ways.count > 1 ? asked.way.family?.words : nil
            let place = [asked.way.interface, family].compactMap { $0 }
            return Row(
                name: place.isEmpty ? health.target : "\(health.target) (\(place.joined(separator: " ")))",
                isUnknown: isUnknown, evidence: health.evidence, result: asked.result, history: asked.history)
        }
    }
}
