#if Service
import Connectivity
import Hummingbird
import Reachability

/// Which events a reader wants: those of some kinds, about a target, about an interface. The first, which tells all, is always
/// wanted.
struct EventFilter: Hashable, Sendable {
    var kinds: Set<Event.Kind> = []
    var targets: Set<String> = []
    var interfaces: Set<String> = []

    /// What cannot be filtered by, in a sentence.
    struct Mistake: Error {
        let text: String
    }

    /// - Parameter request: `?kind=transition&target=shop&interface=eth0`, each repeatable.
    init(_ request: Request) throws(Mistake) {
        for (name, value) in request.uri.queryParameters {
            switch name {
            case "kind":
                guard let kind = Event.Kind(rawValue: String(value)), kind != .result else {
                    let words = Event.Kind.allCases.filter { $0 != .result }.map(\.rawValue).joined(separator: ", ")
                    throw Mistake(text: "there is no such kind of event; there are: \(words)\n")
                }
                kinds.insert(kind)
            case "target": targets.insert(String(value))
            case "interface": interfaces.insert(String(value))
            case "after": continue
            default: throw Mistake(text: "events are chosen by kind, target and interface, and begin after an id\n")
            }
        }
    }

    func wants(_ event: Event) -> Bool {
        guard event.kind != .snapshot else { return true }
        let isOfKind = kinds.isEmpty || kinds.contains(event.kind)
        let isAboutTarget = targets.isEmpty || event.targets.contains { targets.contains($0.target) }
        return isOfKind && isAboutTarget && isAboutInterface(event)
    }

    private func isAboutInterface(_ event: Event) -> Bool {
        guard !interfaces.isEmpty else { return true }
        let names = event.to.interfaces + (event.from?.interfaces ?? []) + [event.cause.interface].compactMap { $0 }
        return names.contains(where: interfaces.contains)
    }
}
#endif
