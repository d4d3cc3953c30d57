import Connectivity
import EventLoop
import NetworkAddress
import Reachability

/// What is known of each target, as families: at most twelve series for one that is probed in one way.
enum TargetMetrics {
    /// - Parameter targets: The targets as they are configured, for their labels.
    static func families(_ event: Event, targets: [Target]) -> [MetricFamily] {
        health(event) + results(event) + [info(targets)]
    }

    private static func health(_ event: Event) -> [MetricFamily] {
        [
            MetricFamily(
                "netwatch_target_up", .gauge,
                help:
                    "Whether a target is up; no sample while that is not known, because this host is cut off or has not looked.",
                event.targets.compactMap { health in
                    health.status == .unknown ? nil : .init(health.status == .up ? 1 : 0, [name(health)])
                }),
            MetricFamily(
                "netwatch_target_problem_info", .info,
                help: "Why a target is not well and whose fault that is, while it is not.",
                event.targets.compactMap(problem)),
            MetricFamily(
                "netwatch_target_last_change_timestamp_seconds", .gauge,
                help: "When a target went up or down, or came to be unknown.",
                event.targets.compactMap { health in
                    health.sinceMonotonic.map { .init(event.wallSeconds($0), [name(health)]) }
                }),
            MetricFamily(
                "netwatch_target_last_check_timestamp_seconds", .gauge, help: "When the last probe of a target ended.",
                event.targets.compactMap { health in
                    health.checkedMonotonic.map { .init(event.wallSeconds($0), [name(health)]) }
                }),
        ]
    }

    private static func name(_ health: TargetHealth) -> MetricFamily.Label { .init("target", health.target) }

    /// Also of one that is up with a reason: an address of its name that is dead.
    private static func problem(_ health: TargetHealth) -> MetricFamily.Sample? {
        guard health.reason != nil || health.blame != nil else { return nil }
        return .init(
            1,
            [
                name(health), .init("reason", health.reason?.rawValue ?? ""),
                .init("blame", health.blame?.rawValue ?? ""),
            ])
    }

    private static func results(_ event: Event) -> [MetricFamily] {
        // What was answered last by a target of which nothing is known may be of yesterday. Its certificate still ends.
        let unknown = Set(event.targets.lazy.filter { $0.status == .unknown }.map(\.target))
        let current = event.probes.filter { !unknown.contains($0.target) && !isOutdated($0, event.uplinks) }
        return [
            MetricFamily(
                "netwatch_probe_success", .gauge, help: "Whether the latest probe of a target succeeded.",
                current.map { .init($0.outcome == .success ? 1 : 0, labels($0)) }),
            MetricFamily(
                "netwatch_probe_latest_duration_seconds", .gauge, help: "How long the latest probe of a target took.",
                current.map { .init(Double($0.durationNanoseconds) / 1e9, labels($0)) }),
            MetricFamily(
                "netwatch_probe_http_status_code", .gauge, help: "The status of the latest answer over HTTP.",
                current.compactMap { probe in probe.statusCode.map { .init(Double($0), labels(probe)) } }),
            MetricFamily(
                "netwatch_probe_certificate_expiry_timestamp_seconds", .gauge,
                help: "Until when the certificate of the latest answer is valid, also of one that was refused.",
                event.probes.compactMap { probe in
                    probe.certificate.map { .init(Double($0.notAfterSeconds), labels(probe)) }
                }),
        ]
    }

    /// Whether a good answer is of before the uplink that it came by got nowhere: the target may be up by another. What
    /// is asked since then is told, on the uplink's own link for example.
    private static func isOutdated(_ probe: ProbeResult, _ uplinks: [UplinkVerdict]) -> Bool {
        guard probe.outcome == .success,
            let uplink = uplinks.first(where: { $0.interface == probe.interface && $0.family == probe.family }),
            ![.full, .limited].contains(uplink.connectivity), let since = uplink.sinceMonotonic
        else { return false }
        return probe.endMonotonic < since
    }

    static func labels(_ probe: ProbeResult) -> [MetricFamily.Label] {
        [
            .init("target", probe.target), .init("device", probe.interface ?? ""),
            .init("family", probe.family?.rawValue ?? ""),
        ]
    }

    // MARK: Labels

    /// The labels that a configuration gives to each target, to be joined by `on(target) group_left`.
    private static func info(_ targets: [Target]) -> MetricFamily {
        MetricFamily(
            "netwatch_target_info", .info, help: "Each target with the labels that the configuration gives to it.",
            targets.map { target in
                var labels: [MetricFamily.Label] = [.init("target", target.name), .init("role", target.role.rawValue)]
                for (name, value) in target.labels.sorted(by: { $0.key < $1.key }) {
                    let label = labelName(name)
                    // Two that become one would make the exposition unreadable.
                    if !labels.contains(where: { $0.name == label }) { labels.append(.init(label, value)) }
                }
                return .init(1, labels)
            })
    }

    /// A name that Prometheus takes: letters, digits and `_`, none of its own (`__name__`) and none of this family's.
    static func labelName(_ text: String) -> String {
        var name = String(
            decoding: text.utf8.map { byte -> UInt8 in
                let isDigit = (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
                let isLetter = (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
                return isDigit || isLetter ? byte : UInt8(ascii: "_")
            }, as: UTF8.self)
        if name.first.map({ $0.isNumber }) ?? true { name = "_" + name }
        return name.hasPrefix("__") || ["target", "role"].contains(name) ? "label_" + name : name
    }
}
