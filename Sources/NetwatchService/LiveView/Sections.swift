#if Service
import Connectivity
import NetworkAddress
import Reachability
import RequestCore

/// The table of interfaces.
enum InterfaceSection {
    static func lines(_ path: Path, _ style: Style) -> [StyledLine] {
        guard !path.interfaces.isEmpty else { return [StyledLine("  no interface could be a way out", .faint)] }
        var table = TextTable("INTERFACE", "MEDIUM", "LINK", "IPv4", "IPv6", "ADDRESSES")
        for interface in path.interfaces {
            table.append(
                .init(interface.name, isUsed(interface, path) ? .strong : nil), .init(interface.medium.rawValue),
                link(interface), usability(interface.ipv4), usability(interface.ipv6),
                .init(interface.addresses.map(text).joined(separator: " "), .faint))
        }
        return table.lines()
    }

    private static func isUsed(_ interface: Interface, _ path: Path) -> Bool {
        [path.ipv4, path.ipv6].contains { $0.isUsable && $0.interface == interface.name }
    }

    private static func link(_ interface: Interface) -> TextTable.Cell {
        guard interface.isUp else { return .init("switched off", .faint) }
        guard interface.hasCarrier else { return .init("no carrier", .bad) }
        return .init(interface.speed.map { "\($0) Mbit/s" } ?? "up", .good)
    }

    private static func usability(_ usability: InterfaceUsability) -> TextTable.Cell {
        guard usability.isUsable else { return .init(usability.reason?.rawValue ?? "no", .faint) }
        return .init("usable", .good)
    }

    private static func text(_ address: InterfaceAddress) -> String {
        let state = address.isDuplicate ? " (duplicate)" : address.isTentative ? " (tentative)" : ""
        return "\(address.address)/\(address.prefixLength)\(state)"
    }
}

/// The table of targets.
enum ProbeSection {
    /// Where there is no room for all, those that do not answer go first, and the rest is counted.
    static func lines(_ probes: [ProbeResult], room: Int, _ style: Style) -> [StyledLine] {
        let fitting = probes.count < room ? probes.count : max(1, room - 2)
        let isAll = fitting >= probes.count
        let ordered = isAll ? probes : probes.filter(\.isBad) + probes.filter { !$0.isBad }
        var table = TextTable("TARGET", "RESULT", "TIME", "")
        for probe in ordered.prefix(fitting) {
            let detail = probe.failure ?? phases(probe, style)
            table.append(.init(probe.name), result(probe), .init(probe.duration.durationText), .init(detail, .faint))
        }
        return table.lines() + (isAll ? [] : [rest(ordered.dropFirst(fitting))])
    }

    private static func rest(_ probes: ArraySlice<ProbeResult>) -> StyledLine {
        let bad = probes.count(where: \.isBad)
        let words = bad == 0 ? "none of them fails" : "\(bad) of them fail\(bad == 1 ? "s" : "")"
        return StyledLine("  and \(probes.count) more, \(words)", bad == 0 ? .faint : .bad)
    }

    private static func result(_ probe: ProbeResult) -> TextTable.Cell {
        let code = probe.statusCode.map { " \($0)" } ?? ""
        return switch probe.outcome {
        case .success: .init("answers\(code)", .good)
        case .failure: .init("fails\(code)", .bad)
        case .portal: .init("portal\(code)", .warning)
        case .cancelled: .init("given up", .faint)
        case .skipped: .init("not asked", .faint)
        }
    }

    private static func phases(_ probe: ProbeResult, _ style: Style) -> String {
        Phase.allCases.compactMap { phase in
            probe.phases[phase].map { "\(phase.rawValue) \($0.durationText)" }
        }.joined(separator: style.separator)
    }
}

extension ProbeResult {
    fileprivate var isBad: Bool { outcome == .failure || outcome == .portal }

    /// The target, with the interface it was asked through.
    fileprivate var name: String {
        interface.map { "\(target) (\($0))" } ?? target
    }
}

/// The last transitions, the newest first.
enum TransitionSection {
    static func lines(_ transitions: some BidirectionalCollection<Event>, _ style: Style) -> [StyledLine] {
        [StyledLine("  LAST TRANSITIONS", .faint)] + transitions.reversed().map { line($0, style) }
    }

    private static func line(_ event: Event, _ style: Style) -> StyledLine {
        var line = StyledLine("  \(WallClock.timeOfDay(event.time))  ", .faint)
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
#endif
