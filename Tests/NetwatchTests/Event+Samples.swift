import Connectivity
import EventLoop
import Foundation
import Netwatch
import NetworkAddress
import Reachability

extension Event {
    /// An event with nothing that need not be there.
    static var bare: Event {
        Event(
            seq: 1, kind: .snapshot, time: 1_795_250_000_000_001_999, monotonic: 100_000_001_999, from: nil,
            to: State(reachability: .none, connectivity: .none, interfaces: []),
            cause: Cause(kind: .start, description: "the monitor has started"), path: Path(status: .none))
    }

    /// An event in which everything has a value.
    static var complete: Event {
        get throws {
            var event = bare
            event.kind = .transition
            event.from = State(reachability: .wifi, connectivity: .full, interfaces: ["wlan0"])
            event.to.interfaces = ["eth0", "eth1"]
            event.cause = Cause(
                kind: .nameServers, description: "the name servers changed", interface: "eth0",
                fields: ["message": "RTM_NEWLINK", "dev": "eth0"])
            event.resync = true
            event.skipped = 3
            event.observed = .limited
            event.reason = .portal
            event.blame = .uplink
            event.portal = "http://portal.test/login?a=1"
            event.captivePortal = try .complete
            event.latencyNanoseconds = 18_738
            event.sinceMonotonic = 40_000_000_000
            event.checkedMonotonic = 99_500_000_000
            event.suspectMonotonic = 98_000_000_000
            event.changes = .all
            event.path = try .complete
            event.uplinks = [.complete]
            event.spare = "wwan0"
            event.targets = [.complete]
            event.probes = [try .complete]
            event.othersUnknown = true
            event.othersUp = true
            return event
        }
    }
}

extension IPAddress {
    fileprivate static let gateway = IPAddress.v4(IPv4Address(rawValue: 0xC000_0201))
    fileprivate static let source = IPAddress.v6(IPv6Address(rawValue: 0x2001_0DB8 << 96 | 0x77))
}

extension Path {
    fileprivate static var complete: Path {
        get throws {
            var path = Path(status: .ethernet, ipv4: .complete, ipv6: .complete)
            path.reason = .legWithoutCarrier
            path.interfaces = [.complete, .complete]
            path.nameServers = [.gateway, .source]
            path.routes = ["10.0.0.0/8"].compactMap { IPPrefix($0) }
            return path
        }
    }
}

extension FamilyPath {
    fileprivate static var complete: FamilyPath {
        var path = FamilyPath(isUsable: true, reason: .split)
        path.medium = .wwan
        path.interface = "wg0"
        path.interfaceIndex = 9
        path.via = ["wg0", "eth0"]
        path.gateway = .gateway
        path.source = .source
        path.table = 254
        path.metric = 100
        path.legs = [Leg(interface: "eth0", gateway: .gateway, isUsable: false)]
        path.kernel = "17.0.0.1 via 192.0.2.1 dev eth0"
        return path
    }
}

extension Interface {
    fileprivate static var complete: Interface {
        var interface = Interface(
            index: 2, name: "wlan0", medium: .wifi, operationalState: "up", isUp: true, hasCarrier: true)
        interface.alternativeNames = ["enp0s1"]
        interface.kind = "vlan"
        interface.hardwareAddress = HardwareAddress(bytes: [2, 0, 0xAB, 0, 0, 1])
        interface.mtu = 1500
        interface.speed = 1000
        interface.wireless = WirelessDetails(
            ssid: "a \"net\"", bssid: HardwareAddress(bytes: [2, 0, 0, 0, 0, 2]), frequency: 2412, signal: -48)
        var address = InterfaceAddress(address: .source, prefixLength: 64)
        address.isTentative = true
        interface.addresses = [address, InterfaceAddress(address: .gateway, prefixLength: 24)]
        interface.ipv4 = InterfaceUsability(isUsable: true, reason: .tentative, gateway: .gateway, source: .gateway)
        interface.ipv6 = InterfaceUsability(isUsable: false, reason: .noAddress, gateway: .source, source: .source)
        return interface
    }
}

extension UplinkVerdict {
    fileprivate static var complete: UplinkVerdict {
        var verdict = UplinkVerdict(interface: "eth0", family: .ipv6, isActive: true, connectivity: .limited)
        verdict.reason = .ipv6Failed
        verdict.sinceMonotonic = MonotonicTime(nanoseconds: 1_000_000_000)
        verdict.checkedMonotonic = MonotonicTime(nanoseconds: 2_000_000_000)
        verdict.suspectMonotonic = MonotonicTime(nanoseconds: 3_000_000_000)
        return verdict
    }
}

extension TargetHealth {
    fileprivate static var complete: TargetHealth {
        var health = TargetHealth(target: "https://example.test/", status: .down)
        health.reason = .certificateExpired
        health.blame = .host
        health.evidence = "others answer"
        health.addresses = [.complete]
        health.sinceMonotonic = MonotonicTime(nanoseconds: 3_000_000_000)
        health.checkedMonotonic = MonotonicTime(nanoseconds: 4_000_000_000)
        return health
    }
}

extension ProbeResult {
    fileprivate static var complete: ProbeResult {
        get throws {
            var result = ProbeResult(
                target: "https://example.test/", outcome: .portal, duration: 23_400_000,
                time: MonotonicTime(nanoseconds: 5_000_000_000))
            result.failure = "the certificate has expired"
            result.reason = .certificateExpired
            result.portal = "http://portal.test/"
            result.failedPhase = .tls
            result.phaseNanoseconds = [
                .tls: 3_000_000, .resolve: 1, .connect: 2_000, .transfer: 5_000_000_000, .processing: 0,
            ]
            result.delayNanoseconds = 700_000
            result.statusCode = 302
            result.dateOffset = -3
            result.remoteAddress = .gateway
            result.addresses = [.complete]
            result.addressCount = 20
            result.certificate = try JSONDecoder().decode(
                CertificateFacts.self,
                from: Data(#"{"subject":"CN=a","issuer":"CN=b","notBefore":-1,"notAfter":1795250000}"#.utf8))
            result.interface = "eth0"
            result.family = .ipv4
            return result
        }
    }
}

extension AddressResult {
    fileprivate static var complete: AddressResult {
        var result = AddressResult(address: .gateway, outcome: .failure, duration: 6_000_000)
        result.reason = .connectTimeout
        result.failure = "nothing came back"
        result.connectNanoseconds = 900_000_000
        result.isWinner = true
        return result
    }
}

extension CaptivePortal {
    fileprivate static var complete: CaptivePortal {
        get throws {
            var portal = CaptivePortal(interface: "wlan0", api: "https://portal.test/api")
            portal.isCaptive = true
            portal.userPortal = "https://portal.test/"
            portal.venueInfo = "https://portal.test/venue"
            portal.secondsRemaining = 326
            portal.failure = "it answered 500"
            portal.checkedMonotonic = MonotonicTime(nanoseconds: 8_000_000_000)
            return portal
        }
    }
}
