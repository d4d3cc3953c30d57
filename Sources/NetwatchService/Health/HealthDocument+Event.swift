package import Connectivity
import EventLoop
import NetworkAddress
import Reachability

extension HealthDocument {
    /// The targets that are not well and that a report names unless all are asked for.
    private static let mostFailures = 16

    /// The state of the world as an event tells it. The status is that of the verdict; the checks say what led to it.
    ///
    /// - Parameter isVerbose: Whether all targets are told of, and not only some that are not well.
    package init(_ event: Event, version: String, host: String, isVerbose: Bool = false) {
        self.init(status: HealthStatus(event), version: version, host: host, event)
        description = "connectivity of this host as the kernel and probes tell it"
        output = status == .pass ? nil : VerdictWords.meaning(event)
        checks = Self.checks(event)
        if !event.targets.isEmpty { checks["targets:health"] = [Self.count(event)] }
        let probes = event.probes.filter { isVerbose || HealthStatus($0.outcome) != .pass }
        if !probes.isEmpty {
            checks["targets:probe"] = probes.prefix(isVerbose ? .max : Self.mostFailures).map { Self.check($0, event) }
        }
    }

    /// The same of one target or interface, whose status it is then.
    package init(_ event: Event, about subject: HealthSubject, version: String, host: String, isVerbose: Bool = false) {
        switch subject {
        case .host: self.init(event, version: version, host: host, isVerbose: isVerbose)
        case .target(let name): self.init(event, target: name, version: version, host: host)
        case .interface(let name): self.init(event, interface: name, version: version, host: host)
        }
    }

    private init(status: HealthStatus, version: String, host: String, _ event: Event) {
        self.status = status
        self.version = version
        serviceId = host
        description = ""
        notes = [event.cause.description]
        links = ["self": "/health", "metrics": "/metrics", "ready": "/readyz", "live": "/livez"]
        checks = [:]
    }

    // MARK: The host

    /// A moment of the monotonic clock's as RFC 3339 has it.
    private static func time(of event: Event, at moment: UInt64?) -> String? {
        moment.map { TimeText.rfc3339(event.wallNanoseconds($0)) }
    }

    private static func checks(_ event: Event) -> [String: [Check]] {
        let time = TimeText.rfc3339(event.timeNanoseconds)
        var checks = [
            "path:reachability": [
                Check(
                    componentId: "path", componentType: "system", observedValue: event.reachability.rawValue,
                    status: HealthStatus(event.reachability), time: time,
                    output: event.path.reason.map(VerdictWords.explanation))
            ],
            "probes:connectivity": [
                Check(
                    componentId: "probes", componentType: "system", observedValue: event.connectivity.rawValue,
                    status: HealthStatus(event), time: Self.time(of: event, at: event.checkedMonotonic) ?? time)
            ],
        ]
        for family in AddressFamily.allCases {
            checks["\(family.rawValue):path"] = [check(family, event.path[family], time)]
        }
        return checks
    }

    /// A family alone never fails the whole: many hosts have only one.
    private static func check(_ family: AddressFamily, _ path: FamilyPath, _ time: String) -> Check {
        Check(
            componentId: path.interface ?? family.rawValue, componentType: "system",
            observedValue: path.isUsable ? "usable" : "unusable", status: path.isUsable ? .pass : .warn, time: time,
            output: path.reason.map(VerdictWords.explanation))
    }

    /// How many targets are up.
    private static func count(_ event: Event) -> Check {
        let up = event.targets.count { $0.status == .up }
        let isDown = event.targets.contains { $0.status == .down }
        return Check(
            componentId: "targets", componentType: "component",
            observedValue: "\(up) of \(event.targets.count) up",
            status: up == event.targets.count ? .pass : isDown && up == 0 ? .fail : .warn,
            time: Self.time(of: event, at: event.checkedMonotonic) ?? TimeText.rfc3339(event.timeNanoseconds))
    }

    // MARK: A target

    private init(_ event: Event, target name: String, version: String, host: String) {
        let health = event.targets.first { $0.target == name } ?? TargetHealth(target: name, status: .unknown)
        self.init(status: HealthStatus(health.status), version: version, host: host, event)
        description = "one target as its probes tell it"
        let why = [health.reason?.rawValue, health.evidence].compactMap { $0 }.joined(separator: ", ")
        output = status == .pass ? nil : "\(name) is \(health.status.rawValue)\(why.isEmpty ? "" : " (\(why))")"
        checks["target:health"] = [
            Check(
                componentId: name, componentType: "component", observedValue: health.status.rawValue, status: status,
                time: Self.time(of: event, at: health.checkedMonotonic?.nanoseconds)
                    ?? TimeText.rfc3339(event.timeNanoseconds),
                output: health.evidence)
        ]
        let probes = event.probes.filter { $0.target == name }
        if !probes.isEmpty { checks["targets:probe"] = probes.map { Self.check($0, event) } }
    }

    /// Its time is when the probe ended.
    private static func check(_ probe: ProbeResult, _ event: Event) -> Check {
        Check(
            componentId: probe.target, componentType: "component", observedValue: probe.outcome.rawValue,
            status: HealthStatus(probe.outcome),
            time: Self.time(of: event, at: probe.endMonotonic.nanoseconds) ?? TimeText.rfc3339(event.timeNanoseconds),
            output: probe.failure)
    }

    // MARK: An interface

    private init(_ event: Event, interface name: String, version: String, host: String) {
        let interface = event.path.interface(named: name)
        let usable = [interface?.ipv4, interface?.ipv6].compactMap { $0 }
        let uplinks = event.uplinks.filter { $0.interface == name }
        let isUsable = usable.contains { $0.isUsable }
        let best = uplinks.map { HealthStatus($0.connectivity) }.min()
        self.init(status: isUsable ? best ?? .pass : .fail, version: version, host: host, event)
        description = "one interface as the kernel tells it, and what the probes over it confirm"
        let time = TimeText.rfc3339(event.timeNanoseconds)
        for (family, usability) in zip(AddressFamily.allCases, usable) {
            checks["\(family.rawValue):path"] = [
                Check(
                    componentId: name, componentType: "system",
                    observedValue: usability.isUsable ? "usable" : "unusable",
                    status: usability.isUsable ? .pass : .warn, time: time,
                    output: usability.reason.map(VerdictWords.explanation))
            ]
        }
        if !uplinks.isEmpty { checks["uplink:connectivity"] = uplinks.map { Self.check($0, name, event, time) } }
        if status != .pass {
            let words = checks.sorted { $0.key < $1.key }.flatMap { $0.value.compactMap(\.output) }
            output = words.isEmpty ? "\(name) is not known to work" : words.joined(separator: "; ")
        }
    }

    private static func check(_ uplink: UplinkVerdict, _ name: String, _ event: Event, _ time: String) -> Check {
        Check(
            componentId: [name, uplink.family?.rawValue].compactMap { $0 }.joined(separator: " "),
            componentType: "system", observedValue: uplink.connectivity.rawValue,
            status: HealthStatus(uplink.connectivity),
            time: Self.time(of: event, at: uplink.checkedMonotonic?.nanoseconds) ?? time,
            output: uplink.reason?.rawValue)
    }
}

extension HealthStatus {
    /// What the verdict of an event means for whatever depends on this host's connectivity.
    init(_ event: Event) {
        switch event.connectivity {
        case .unknown where event.blame == .host: self = .warn
        case .unknown: self = HealthStatus(event.reachability)
        case .full, .limited, .none, .local, .portal: self = HealthStatus(event.connectivity)
        }
    }

    init(_ connectivity: ConnectivityStatus) {
        switch connectivity {
        case .full: self = .pass
        case .limited, .unknown: self = .warn
        case .none, .local, .portal: self = .fail
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

    init(_ status: TargetHealth.Status) {
        switch status {
        case .up: self = .pass
        case .down: self = .fail
        case .unknown: self = .warn
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
