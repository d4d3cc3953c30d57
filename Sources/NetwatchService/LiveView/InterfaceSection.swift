import Connectivity
import NetworkAddress
import Reachability

/// The table of interfaces.
enum InterfaceSection {
    /// The interfaces that traffic leaves by, and the others.
    static func parts(_ path: Path) -> (used: [Interface], others: [Interface]) {
        let names = namesInUse(path)
        let used = names.compactMap { name in path.interface(named: name) }
        return (used, path.interfaces.filter { !names.contains($0.name) })
    }

    /// Each family's interface, the legs of a multipath route, and what lies under them, in this order.
    private static func namesInUse(_ path: Path) -> [String] {
        let families = [path.ipv4, path.ipv6].filter(\.isUsable)
        let chosen = families.compactMap(\.interface)
        let legs = families.flatMap { $0.legs.filter(\.isUsable).map(\.interface) }
        return (chosen + legs + families.flatMap(\.via)).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    static func used(_ interfaces: [Interface], _ event: Event) -> LiveSection {
        section(interfaces, event, title: "INTERFACE", tone: .strong) { "  and \($0) more interfaces in use" }
    }

    static func others(_ interfaces: [Interface], _ event: Event, isAlone: Bool) -> LiveSection {
        section(interfaces, event, title: isAlone ? "INTERFACE" : "NOT IN USE", tone: nil) { left in
            "  and \(left) more \(left == 1 ? "interface" : "interfaces")"
        }
    }

    /// In the place of interfaces, where there are none.
    static var none: LiveSection {
        LiveSection(count: 1) { range, _, _ in
            [StyledLine("  INTERFACE", .faint)] + range.map { _ in StyledLine("  none could be a way out", .faint) }
        }
    }

    private static func section(
        _ interfaces: [Interface], _ event: Event, title: String, tone: Style.Tone?,
        rest: @escaping (Int) -> String
    ) -> LiveSection {
        LiveSection(count: interfaces.count) { range, _, style in
            var table = TextTable(title, "MEDIUM", "LINK", "IPv4", "IPv6", "ADDRESSES")
            for interface in interfaces[range] {
                table.append(
                    .init(interface.name, tone), medium(interface), link(interface), usability(.ipv4, interface, event),
                    usability(.ipv6, interface, event),
                    .init(interface.addresses.map(text).joined(separator: " "), .faint))
            }
            return table.lines(style)
        } rest: { _, left in
            StyledLine(rest(left), .faint)
        }
    }

    private static func medium(_ interface: Interface) -> TextTable.Cell {
        let network = interface.wireless?.ssid.map { " \($0)" } ?? ""
        return .init(interface.medium.rawValue + network)
    }

    private static func link(_ interface: Interface) -> TextTable.Cell {
        guard interface.isUp else { return .init("switched off", .faint) }
        guard interface.hasCarrier else { return .init("no carrier", .bad) }
        return .init(interface.speed.map { "\($0) Mbit/s" } ?? "up", .good)
    }

    /// Whether the kernel could send by it, and what its own probes say where they are told apart.
    private static func usability(_ family: AddressFamily, _ interface: Interface, _ event: Event) -> TextTable.Cell {
        let usability = interface[family]
        guard usability.isUsable else { return .init(usability.reason?.rawValue ?? "no", .faint) }
        let own = event.uplinks.first { $0.interface == interface.name && $0.family ?? family == family }
        guard let own, own.connectivity != .unknown else { return .init("usable", .good) }
        return .init(own.connectivity.rawValue, own.connectivity.tone)
    }

    private static func text(_ address: InterfaceAddress) -> String {
        let state = address.isDuplicate ? " (duplicate)" : address.isTentative ? " (tentative)" : ""
        return "\(address.address)/\(address.prefixLength)\(state)"
    }
}
