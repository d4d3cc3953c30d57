import Connectivity
import Reachability

/// The last transitions, the newest first.
enum TransitionSection {
    /// - Parameter now: On the wall clock, in nanoseconds: what is of another day is told with its date.
    static func section(_ transitions: [Event], seenAt now: UInt64) -> LiveSection {
        LiveSection(count: transitions.count) { range, _, style in
            [StyledLine("  LAST TRANSITIONS", .faint)]
                + range.map { line(transitions[transitions.count - 1 - $0], seenAt: now, style) }
        }
    }

    private static func line(_ event: Event, seenAt now: UInt64, _ style: Style) -> StyledLine {
        var line = StyledLine("  \(TimeText.moment(event.timeNanoseconds, seenAt: now))  ", .faint)
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
