import Connectivity
import Reachability

/// The last transitions, the newest first.
enum TransitionSection {
    static func section(_ transitions: [Event]) -> LiveSection {
        LiveSection(count: transitions.count) { range, _, style in
            [StyledLine("  LAST TRANSITIONS", .faint)]
                + range.map { line(transitions[transitions.count - 1 - $0], style) }
        }
    }

    private static func line(_ event: Event, _ style: Style) -> StyledLine {
        var line = StyledLine("  \(TimeText.timeOfDay(event.timeNanoseconds))  ", .faint)
        if let from = event.from { line.append("\(state(from)) \(style.arrow) ") }
        line.append(state(event.to), event.connectivity.tone)
        line.append("  \(event.cause.description)", .faint)
        return line
    }

    /// The connectivity where it is known, else the reachability, and the way.
    private static func state(_ state: Event.State) -> String {
        let name = state.connectivity == .unknown ? state.reachability.rawValue : state.connectivity.rawValue
        return state.interfaces.isEmpty ? name : "\(name) via \(state.interfaces.joined(separator: "+"))"
    }
}
