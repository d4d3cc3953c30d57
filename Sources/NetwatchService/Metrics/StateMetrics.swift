package import Connectivity
import EventLoop
import NetworkAddress
import Reachability

/// The state of an event as families: what a scrape shows besides counts.
package enum StateMetrics {
    /// - Parameter targets: The targets as they are configured, for their labels.
    package static func families(_ event: Event, targets: [Target] = [], version: String) -> [MetricFamily] {
        host(event, version) + UplinkMetrics.families(event) + TargetMetrics.families(event, targets: targets)
    }

    private static func host(_ event: Event, _ version: String) -> [MetricFamily] {
        [
            MetricFamily(
                "netwatch_build_info", .info, help: "The program's version.", [.init(1, [.init("version", version)])]),
            MetricFamily(
                "netwatch_reachability_state", help: "How the host is reachable: 1 for the state it is in.",
                state: event.reachability),
            MetricFamily(
                "netwatch_connectivity_state", help: "What probes confirm: 1 for the state it is in.",
                state: event.connectivity),
            MetricFamily(
                "netwatch_path_state", .gauge, help: "Whether an interface could carry traffic out, by family.",
                event.path.interfaces.flatMap(states)),
            MetricFamily(
                "netwatch_path_selected", .gauge,
                help: "1 for the interface that the kernel sends a family's traffic by.",
                AddressFamily.allCases.flatMap { selected($0, event.path[$0]) }),
            MetricFamily(
                "netwatch_captive_session_remaining_seconds", .gauge,
                help: "How long the leave still lasts that a network's portal has given.", session(event)),
            MetricFamily(
                "netwatch_last_check_timestamp_seconds", .gauge, help: "When the last probe ended.",
                event.checkedMonotonic.map { [.init(event.wallSeconds($0))] } ?? []),
            MetricFamily(
                "netwatch_connectivity_problem_info", .info,
                help: "Why connectivity is less than full and whose fault that is, while it is.", problem(event)),
        ]
    }

    private static func states(_ interface: Interface) -> [MetricFamily.Sample] {
        zip(AddressFamily.allCases, [interface.ipv4, interface.ipv6]).flatMap { family, usability in
            [("usable", usability.isUsable), ("unusable", !usability.isUsable)].map { state, holds in
                MetricFamily.Sample(
                    holds ? 1 : 0,
                    [
                        .init("device", interface.name), .init("family", family.rawValue), .init("state", state),
                    ])
            }
        }
    }

    private static func selected(_ family: AddressFamily, _ path: FamilyPath) -> [MetricFamily.Sample] {
        guard path.isUsable, let interface = path.interface else { return [] }
        return [.init(1, [.init("device", interface), .init("family", family.rawValue)])]
    }

    private static func session(_ event: Event) -> [MetricFamily.Sample] {
        guard let portal = event.captivePortal, portal.isCaptive == false, let seconds = portal.secondsRemaining else {
            return []
        }
        // The portal may not be asked again before it is over.
        let now = MonotonicTime(nanoseconds: event.monotonic)
        let age = portal.checkedMonotonic.map { $0.duration(to: now) / .seconds(1) } ?? 0
        return [.init(max(Double(seconds) - age, 0), [.init("device", portal.interface)])]
    }

    private static func problem(_ event: Event) -> [MetricFamily.Sample] {
        guard event.reason != nil || event.blame != nil else { return [] }
        return [
            .init(
                1,
                [
                    .init("reason", event.reason?.rawValue ?? ""), .init("blame", event.blame?.rawValue ?? ""),
                ])
        ]
    }
}
