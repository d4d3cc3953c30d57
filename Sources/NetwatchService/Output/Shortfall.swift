import Connectivity
import NetworkAddress
import Reachability

/// What each interface still lacks of what is waited for: `eth0: carrier, no IPv4 default route`.
enum Shortfall {
    /// So many interfaces are named; a host of containers has hundreds.
    private static let most = 8

    static func words(_ event: Event) -> [String] {
        let interfaces = event.path.interfaces
        let named = interfaces.prefix(most).map { "\(DisplayText.safe($0.name)): \(words($0, event))" }
        let rest = interfaces.count - most
        return rest > 0 ? named + ["and \(rest) more \(rest == 1 ? "interface" : "interfaces")"] : named
    }

    private static func words(_ interface: Interface, _ event: Event) -> String {
        guard interface.isUp else { return "switched off" }
        guard interface.hasCarrier else { return "no carrier" }
        let states = AddressFamily.allCases.compactMap { words($0, interface[$0]) }
        return (["carrier"] + states + verdicts(interface, event)).joined(separator: ", ")
    }

    private static func words(_ family: AddressFamily, _ state: InterfaceUsability) -> String? {
        let name = family == .ipv4 ? "IPv4" : "IPv6"
        guard !state.isUsable else { return "\(name) has a way out" }
        return switch state.reason {
        case .noAddress?: "no \(name) address"
        case .linkLocalSource?: "no \(name) address but a link-local one"
        case .noRoute?: "no \(name) default route"
        case let reason?: "\(name): \(reason.rawValue)"
        case nil: nil
        }
    }

    /// What its own probes say, where they are bound to it, and what its network's portal does.
    private static func verdicts(_ interface: Interface, _ event: Event) -> [String] {
        let own = event.uplinks.filter { $0.interface == interface.name && $0.connectivity != .full }
        let portal = event.captivePortal.flatMap { $0.interface == interface.name ? $0.userPortal : nil }
        return own.map { verdict in
            let family = verdict.family.map { " by \($0 == .ipv4 ? "IPv4" : "IPv6")" } ?? ""
            let reason = verdict.reason.map { " (\($0.rawValue))" } ?? ""
            return "\(verdict.connectivity.rawValue)\(family)\(reason)"
        } + (portal.map { ["portal \(DisplayText.safe($0))"] } ?? [])
    }
}
