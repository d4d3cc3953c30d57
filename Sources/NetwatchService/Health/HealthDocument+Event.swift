#if Service
package import Connectivity
import NetworkAddress
import Reachability

extension HealthDocument {
    /// The state of the world as an event tells it. The status is that of the verdict; the checks say what led to it.
    package init(_ event: Event, version: String, host: String) {
        status = HealthStatus(event)
        self.version = version
        serviceId = host
        description = "connectivity of this host as the kernel and probes tell it"
        output = status == .pass ? nil : Verdict.meaning(event)
        notes = [event.cause.description]
        links = ["self": "/health", "metrics": "/metrics", "ready": "/readyz", "live": "/livez"]
        checks = Self.checks(event)
    }

    private static func checks(_ event: Event) -> [String: [Check]] {
        let time = WallClock.rfc3339(event.timeNanoseconds)
        var checks = [
            "path:reachability": [
                Check(
                    componentId: "path", componentType: "system", observedValue: event.reachability.rawValue,
                    status: HealthStatus(event.reachability), time: time,
                    output: event.path.reason.map(Verdict.explanation))
            ],
            "probes:connectivity": [
                Check(
                    componentId: "probes", componentType: "system", observedValue: event.connectivity.rawValue,
                    status: HealthStatus(event), time: time)
            ],
        ]
        for family in AddressFamily.allCases {
            checks["\(family.rawValue):path"] = [check(family, event.path[family], time)]
        }
        if !event.probes.isEmpty { checks["targets:probe"] = event.probes.map { check($0, time) } }
        return checks
    }

    /// A family alone never fails the whole: many hosts have only one.
    private static func check(_ family: AddressFamily, _ path: FamilyPath, _ time: String) -> Check {
        Check(
            componentId: path.interface ?? family.rawValue, componentType: "system",
            observedValue: path.isUsable ? "usable" : "unusable", status: path.isUsable ? .pass : .warn, time: time,
            output: path.reason.map(Verdict.explanation))
    }

    private static func check(_ probe: ProbeResult, _ time: String) -> Check {
        Check(
            componentId: probe.target, componentType: "component", observedValue: probe.outcome.rawValue,
            status: HealthStatus(probe.outcome), time: time, output: probe.failure)
    }
}

extension HealthStatus {
    /// What the verdict of an event means for those who depend on this host's connectivity.
    init(_ event: Event) {
        switch event.connectivity {
        case .full: self = .pass
        case .limited: self = .warn
        case .none, .local, .portal: self = .fail
        case .unknown where event.reason == .notPermitted: self = .warn
        case .unknown: self = HealthStatus(event.reachability)
        }
    }

    /// What was not asked says nothing.
    init(_ outcome: ProbeResult.Outcome) {
        switch outcome {
        case .success: self = .pass
        case .failure, .portal: self = .fail
        case .skipped, .cancelled: self = .warn
        }
    }

    init(_ reachability: ReachabilityStatus) {
        self =
            switch reachability {
            case .none: .fail
            case .unknown: .warn
            case .ethernet, .wifi, .wwan, .other: .pass
            }
    }
}
#endif
