#if Service
package import Connectivity
import NetworkAddress
import Reachability

/// The state of an event as families: what a scrape shows besides counts.
package enum StateMetrics {
    package static func families(_ event: Event, version: String) -> [MetricFamily] {
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
                help: "How long the leave lasts that a network's portal has given, as it said when it was last asked.",
                session(event.captivePortal)),
            MetricFamily(
                "netwatch_last_check_timestamp_seconds", .gauge, help: "When the last probe ended.",
                event.checkedMonotonic.map { [.init(wallTime($0, event))] } ?? []),
            MetricFamily(
                "netwatch_target_up", .gauge,
                help:
                    "Whether a target is up; no sample while that is not known, because this host is cut off or has not looked.",
                event.targets.compactMap(isUp)),
            MetricFamily(
                "netwatch_probe_success", .gauge, help: "Whether the latest probe of a target succeeded.",
                event.probes.map { .init($0.outcome == .success ? 1 : 0, labels($0)) }),
            MetricFamily(
                "netwatch_probe_latest_duration_seconds", .gauge, help: "How long the latest probe of a target took.",
                event.probes.map { .init(Double($0.durationNanoseconds) / 1e9, labels($0)) }),
        ]
    }

    private static func states(_ interface: Interface) -> [MetricFamily.Sample] {
        zip(AddressFamily.allCases, [interface.ipv4, interface.ipv6]).flatMap { family, usability in
            [("usable", usability.isUsable), ("unusable", !usability.isUsable)].map { state, holds in
                MetricFamily.Sample(
                    holds ? 1 : 0,
                    [
                        .init("interface", interface.name), .init("family", family.rawValue), .init("state", state),
                    ])
            }
        }
    }

    private static func selected(_ family: AddressFamily, _ path: FamilyPath) -> [MetricFamily.Sample] {
        guard path.isUsable, let interface = path.interface else { return [] }
        return [.init(1, [.init("interface", interface), .init("family", family.rawValue)])]
    }

    private static func session(_ portal: CaptivePortal?) -> [MetricFamily.Sample] {
        guard let portal, portal.isCaptive == false, let seconds = portal.secondsRemaining else { return [] }
        return [.init(Double(seconds), [.init("interface", portal.interface)])]
    }

    private static func isUp(_ health: TargetHealth) -> MetricFamily.Sample? {
        guard health.status != .unknown else { return nil }
        return .init(health.status == .up ? 1 : 0, [.init("target", health.target)])
    }

    /// A time of the monotonic clock's in seconds since 1970.
    private static func wallTime(_ monotonic: UInt64, _ event: Event) -> Double {
        (Double(event.timeNanoseconds) - Double(event.monotonic) + Double(monotonic)) / 1e9
    }

    private static func labels(_ probe: ProbeResult) -> [MetricFamily.Label] {
        [
            .init("target", probe.target), .init("interface", probe.interface ?? ""),
            .init("family", probe.family?.rawValue ?? ""),
        ]
    }
}
#endif
