#if Service
package import Connectivity
import NetworkAddress
import Reachability

/// The live view as a pure function of what is known: from events to lines.
package struct Screen: Sendable {
    /// How many transitions are kept to be shown.
    private static let historyLimit = 100

    private let title: String
    private var current: Event?
    private var statusSince: UInt64?
    private var transitions: [Event] = []

    /// - Parameter title: What stands in the first line: the host's name.
    package init(title: String) {
        self.title = title
    }

    /// Takes an event in.
    package mutating func show(_ event: Event) {
        if current?.connectivity != event.connectivity || current?.reachability != event.reachability {
            statusSince = event.time
        }
        current = event
        guard event.kind == .transition else { return }
        transitions.append(event)
        transitions.removeFirst(max(0, transitions.count - Self.historyLimit))
    }

    /// What a window of a size in columns and rows shows.
    package func lines(width: Int, height: Int, style: Style) -> [String] {
        guard let current else { return ["waiting for the kernel's answer"] }
        let head = headLines(current, width, style)
        let interfaces = [StyledLine()] + InterfaceSection.lines(current.path, style)
        let left = height - head.count - interfaces.count - 1
        let probes =
            current.probes.isEmpty ? [] : [StyledLine()] + ProbeSection.lines(current.probes, room: left, style)
        // What changes least may go first where the window is low.
        var all = head + interfaces + probes
        let room = height - all.count - 2
        if room > 0, !transitions.isEmpty {
            all += [StyledLine()] + TransitionSection.lines(transitions.suffix(room), style)
        }
        return all.prefix(max(1, height)).map { $0.rendered(width: width, style: style) }
    }

    private func headLines(_ event: Event, _ width: Int, _ style: Style) -> [StyledLine] {
        var top = StyledLine("netwatch", .strong)
        top.append("  \(title)")
        top.appendRight("Ctrl-C ends", .faint, width: width)
        var status = StyledLine(" \(style.bullet) \(event.connectivity.rawValue)", event.connectivity.tone)
        status.append("  \(Verdict.way(event))", .strong)
        if let statusSince { status.append("  since \(WallClock.timeOfDay(statusSince))", .faint) }
        return [top, StyledLine(), status, StyledLine("   " + Verdict.meaning(event), .faint), StyledLine()]
            + AddressFamily.allCases.map { familyLine($0, event.path[$0], style) }
    }

    private func familyLine(_ family: AddressFamily, _ path: FamilyPath, _ style: Style) -> StyledLine {
        var line = StyledLine("   \(family == .ipv4 ? "IPv4" : "IPv6")  ")
        guard path.isUsable else {
            line.append(path.reason.map(Verdict.explanation) ?? style.absent, .faint)
            return line
        }
        let chain = path.via.isEmpty ? [path.interface ?? style.absent] : path.via
        line.append(chain.joined(separator: " \(style.arrow) "))
        if let gateway = path.gateway { line.append(" \(style.arrow) \(gateway)") }
        if let source = path.source { line.append("  from \(source)", .faint) }
        if let table = path.table, table != 254 { line.append("  table \(table)", .faint) }
        if let reason = path.reason { line.append("  \(reason.rawValue)", .warning) }
        return line
    }
}

extension ConnectivityStatus {
    var tone: Style.Tone {
        switch self {
        case .full: .good
        case .limited, .portal, .unknown: .warning
        case .local, .none: .bad
        }
    }
}
#endif
