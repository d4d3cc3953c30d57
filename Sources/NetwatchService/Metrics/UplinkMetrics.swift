import Connectivity
import EventLoop
import NetworkAddress
import Reachability

/// What the probes over each uplink say, as families. There are none where uplinks are not told apart.
enum UplinkMetrics {
    static func families(_ event: Event) -> [MetricFamily] {
        [
            MetricFamily(
                "netwatch_uplink_state", .gauge,
                help: "What probes over an uplink confirm, by family: 1 for the state it is in.",
                event.uplinks.flatMap(states)),
            MetricFamily(
                "netwatch_uplink_active", .gauge, help: "1 while traffic that is not bound leaves by this uplink.",
                event.uplinks.map { .init($0.isActive ? 1 : 0, labels($0)) }),
            MetricFamily(
                "netwatch_uplink_suspect", .gauge,
                help: "1 while this host's own connections wait in vain over an uplink.",
                event.uplinks.map { .init($0.suspectMonotonic == nil ? 0 : 1, labels($0)) }),
            MetricFamily(
                "netwatch_uplink_last_check_timestamp_seconds", .gauge,
                help: "When the last probe over an uplink ended.",
                event.uplinks.compactMap { uplink in
                    uplink.checkedMonotonic.map { .init(event.wallSeconds($0), labels(uplink)) }
                }),
            MetricFamily(
                "netwatch_uplink_problem_info", .info, help: "Why an uplink is less than full, while it is.",
                event.uplinks.compactMap { uplink in
                    uplink.reason.map { .init(1, labels(uplink) + [.init("reason", $0.rawValue)]) }
                }),
            spare(event),
        ]
    }

    private static func states(_ uplink: UplinkVerdict) -> [MetricFamily.Sample] {
        ConnectivityStatus.allCases.map { state in
            .init(state == uplink.connectivity ? 1 : 0, labels(uplink) + [.init("state", state.rawValue)])
        }
    }

    private static func spare(_ event: Event) -> MetricFamily {
        let devices = Set(event.uplinks.compactMap(\.interface) + [event.spare].compactMap { $0 }).sorted()
        return MetricFamily(
            "netwatch_uplink_spare", .gauge,
            help: "1 for the device to use while the one that traffic leaves by gets nowhere.",
            devices.map { .init($0 == event.spare ? 1 : 0, [.init("device", $0)]) })
    }

    private static func labels(_ uplink: UplinkVerdict) -> [MetricFamily.Label] {
        [.init("device", uplink.interface ?? ""), .init("family", uplink.family?.rawValue ?? "")]
    }
}
