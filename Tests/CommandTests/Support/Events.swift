import Connectivity
import EventLoop
import NetworkAddress
import Reachability
import RequestEngine

/// Events for what needs no kernel: as a monitor publishes them.
extension Event {
    /// 2026-11-21 08:41:03.123456 UTC.
    static let testTime: UInt64 = 1_795_250_463_123_456_789

    static func snapshot(
        _ reachability: ReachabilityStatus = .none, _ connectivity: ConnectivityStatus = .none,
        interfaces: [String] = []
    ) -> Event {
        var event = Event(
            seq: 1, kind: .snapshot, time: testTime, monotonic: 42, from: nil,
            to: State(reachability: reachability, connectivity: connectivity, interfaces: interfaces),
            cause: Cause(kind: .start, description: "the monitor has started"),
            path: Path(status: reachability))
        event.changes = .all
        return event
    }

    /// From nothing to a path by eth0 that a probe confirms.
    static var online: Event {
        var event = Event(
            seq: 2, kind: .transition, time: testTime, monotonic: 42,
            from: State(reachability: .none, connectivity: .none, interfaces: []),
            to: State(reachability: .ethernet, connectivity: .full, interfaces: ["eth0"]),
            cause: Cause(
                kind: .route, description: "default via 192.0.2.1 dev eth0 was added", interface: "eth0",
                fields: ["dst": "default"]),
            path: .viaEth0)
        event.changes = .all
        event.targets = [TargetHealth(target: ProbeResult.success.target, status: .up)]
        event.probes = [.success]
        return event
    }

    /// From the path by eth0 to nothing.
    static var carrierLost: Event {
        var path = Path(status: .none)
        path.reason = .noCarrier
        var event = Event(
            seq: 3, kind: .transition, time: testTime, monotonic: 42,
            from: State(reachability: .ethernet, connectivity: .full, interfaces: ["eth0"]),
            to: State(reachability: .none, connectivity: .none, interfaces: []),
            cause: Cause(kind: .link, description: "eth0 lost its carrier", interface: "eth0"), path: path)
        event.changes = .path
        return event
    }
}

extension Path {
    static var viaEth0: Path {
        var interface = Interface(
            index: 2, name: "eth0", medium: .ethernet, operationalState: "up", isUp: true, hasCarrier: true)
        interface.addresses = [InterfaceAddress(address: .v4(IPv4Address(rawValue: 0xC000_0202)), prefixLength: 24)]
        interface.ipv4 = InterfaceUsability(isUsable: true)
        var family = FamilyPath(isUsable: true)
        family.interface = "eth0"
        family.via = ["eth0"]
        family.gateway = .v4(IPv4Address(rawValue: 0xC000_0201))
        family.source = .v4(IPv4Address(rawValue: 0xC000_0202))
        family.table = 254
        var path = Path(status: .ethernet, ipv4: family, ipv6: FamilyPath(isUsable: false, reason: .noRoute))
        path.interfaces = [interface]
        return path
    }
}

extension ProbeResult {
    static var success: ProbeResult {
        var result = ProbeResult(
            target: "http://192.0.2.9/", outcome: .success, duration: 23_400_000, time: MonotonicTime(nanoseconds: 7))
        result.statusCode = 204
        result.phaseNanoseconds = [.connect: 12_000_000, .processing: 11_000_000]
        return result
    }
}
