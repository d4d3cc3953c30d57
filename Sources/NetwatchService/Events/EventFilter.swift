import Connectivity
import FoundationEssentials
import Reachability

/// Which events a reader wants: those of some kinds, about a target, about an interface. The first, which tells all, is always
/// wanted.
struct EventFilter: Hashable, Sendable {
    var kinds: Set<Event.Kind> = []
    var targets: Set<String> = []
    var interfaces: Set<String> = []
    /// Whether the first event, too, is wanted only where it is chosen.
    private var choosesSnapshots = false

    init() {}

    init(kinds: Set<Event.Kind>, targets: Set<String>) {
        self.kinds = kinds
        self.targets = targets
        choosesSnapshots = true
    }

    /// What an interface is in the state that an event tells.
    struct Role: Hashable {
        enum Kind: CaseIterable { case present, uplink, inUse, spare }

        let name: String
        let kind: Kind
    }

    /// What the chosen interfaces are in the state that an event tells.
    func roles(in event: Event) -> Set<Role> {
        guard !interfaces.isEmpty else { return [] }
        var roles: Set<Role> = []
        func add(_ names: [String], as kind: Role.Kind) {
            for name in names where interfaces.contains(name) { roles.insert(Role(name: name, kind: kind)) }
        }
        add(event.path.interfaces.map(\.name), as: .present)
        add(event.uplinks.compactMap(\.interface), as: .uplink)
        add(event.to.interfaces, as: .inUse)
        add([event.spare].compactMap(\.self), as: .spare)
        return roles
    }

    /// Whether an event is wanted after a state in which the chosen interfaces were that: one that names none of them may tell
    /// what they are no longer.
    func wants(_ event: Event, after roles: Set<Role>) -> Bool {
        wants(event) || (isOfKind(event) && isAboutTarget(event) && !roles.isSubset(of: self.roles(in: event)))
    }

    func wants(_ event: Event) -> Bool {
        guard event.kind != .snapshot || choosesSnapshots else { return true }
        return isOfKind(event) && isAboutTarget(event) && isAboutInterface(event)
    }

    private func isOfKind(_ event: Event) -> Bool { kinds.isEmpty || kinds.contains(event.kind) }

    /// What is told of all others may be told of one that is chosen.
    private func isAboutTarget(_ event: Event) -> Bool {
        targets.isEmpty || event.othersUp || event.othersUnknown
            || event.targets.contains { targets.contains($0.target) }
    }

    /// The same of a line of JSON that the history has kept; one that cannot be read is wanted.
    func wants(_ line: [UInt8]) -> Bool {
        guard !kinds.isEmpty || !targets.isEmpty || !interfaces.isEmpty,
            let event = try? JSONDecoder().decode(Line.self, from: Data(line)),
            choosesSnapshots || event.kind != Event.Kind.snapshot.rawValue
        else { return true }
        let others = (event.uplinks ?? []).map(\.interface) + [event.cause?.interface, event.spare]
        let names = (event.interfaces ?? []) + (event.from?.interfaces ?? []) + others.compactMap(\.self)
        return (kinds.isEmpty || kinds.contains { $0.rawValue == event.kind })
            && (targets.isEmpty || event.othersUp == true || event.othersUnknown == true
                || (event.targets ?? []).contains { targets.contains($0.target) })
            && (interfaces.isEmpty || names.contains(where: interfaces.contains))
    }

    /// What is chosen by, as an event's JSON has it.
    private struct Line: Decodable {
        struct Target: Decodable {
            let target: String
        }
        struct State: Decodable {
            let interfaces: [String]
        }
        struct Named: Decodable {
            let interface: String?
        }

        let kind: String
        let targets: [Target]?
        let interfaces: [String]?
        let from: State?
        let cause: Named?
        let uplinks: [Named]?
        let spare: String?
        let othersUp: Bool?
        let othersUnknown: Bool?
    }

    private func isAboutInterface(_ event: Event) -> Bool {
        guard !interfaces.isEmpty else { return true }
        // An uplink that is only spare is named by none of the others.
        let uplinks = event.changes.contains(.uplinks) ? event.uplinks.compactMap(\.interface) : []
        let others = [event.cause.interface, event.spare].compactMap(\.self)
        let names = event.to.interfaces + (event.from?.interfaces ?? []) + uplinks + others
        return names.contains(where: interfaces.contains)
    }
}
