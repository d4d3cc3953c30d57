package import Connectivity
import Reachability

/// What a health report is about.
package enum HealthSubject: Hashable, Sendable {
    case host
    /// One target, by its name.
    case target(String)
    /// One interface, by its name.
    case interface(String)

    /// Names beyond these are only counted where there is no such thing.
    private static let mostNames = 50

    /// Why there is nothing to tell: what there is instead; nil where the event tells of it.
    package func absence(in event: Event) -> String? {
        switch self {
        case .host: nil
        case .target(let name): Self.absence(of: name, "target", among: event.targets.map(\.target))
        case .interface(let name): Self.absence(of: name, "interface", among: event.path.interfaces.map(\.name))
        }
    }

    private static func absence(of name: String, _ noun: String, among names: [String]) -> String? {
        guard !names.contains(name) else { return nil }
        let others = names.count > mostNames ? ", and \(names.count - mostNames) more" : ""
        let known = names.prefix(mostNames).map(DisplayText.safe).joined(separator: ", ")
        return "there is no such \(noun); there \(names.isEmpty ? "is none" : "are: \(known)\(others)")"
    }
}
