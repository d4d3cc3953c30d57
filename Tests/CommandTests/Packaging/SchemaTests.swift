import Connectivity
import Foundation
import Netwatch
import NetwatchService
import NetworkAddress
import Reachability
import RequestEngine
import TestSupport
import Testing

@testable import Probing

@Suite("The JSON Schema of an event")
struct SchemaTests {
    @Test(
        "knows every word that an event may use",
        arguments: [
            ("$defs/reachability", ReachabilityStatus.allCases.map(\.rawValue)),
            ("$defs/connectivity", ConnectivityStatus.allCases.map(\.rawValue)),
            ("$defs/medium", Medium.allCases.map(\.rawValue)),
            ("$defs/pathReason", PathReason.allCases.map(\.rawValue)),
            ("$defs/connectivityReason", ConnectivityReason.allCases.map(\.rawValue)),
            ("$defs/phase", Phase.allCases.map(\.rawValue)),
            ("properties/kind", Event.Kind.allCases.map(\.rawValue)),
            ("$defs/cause/properties/kind", Cause.Kind.allCases.map(\.rawValue)),
            ("$defs/probe/properties/outcome", ProbeResult.Outcome.allCases.map(\.rawValue)),
            ("$defs/target/properties/status", TargetHealth.Status.allCases.map(\.rawValue)),
            ("$defs/target/properties/blame", TargetHealth.Blame.allCases.map(\.rawValue)),
        ])
    func words(place: String, words: [String]) throws {
        let schemaWords = try #require(try Self.node(place + "/enum") as? [String])
        #expect(Set(schemaWords) == Set(words))
    }

    @Test("of an explanation knows every word that one may use, and every field")
    func explanation() throws {
        func node(_ place: String) throws -> Any {
            try Self.node("$defs/step/" + place, of: Netwatch.explanationSchema)
        }
        let kinds = try #require(try node("properties/kind/enum") as? [String])
        #expect(kinds == Explanation.Kind.allCases.map(\.rawValue))
        let reasons = try #require(try node("properties/reason/enum") as? [String])
        #expect(Set(reasons) == Set(ConnectivityReason.allCases.map(\.rawValue)))
        let step = Explanation.Step.broken(.route, "none", .noRoute, advice: "make one", command: "ip route")
        let fields = try #require(try node("properties") as? [String: Any])
        #expect(Set(fields.keys) == Set(Mirror(reflecting: step).children.compactMap(\.label)))
        let check = Elsewhere.Check(.gateway, try #require(IPAddress("192.0.2.1")), interface: "eth0", answers: true)
        let checkFields = try #require(
            try Self.node("$defs/check/properties", of: Netwatch.explanationSchema) as? [String: Any])
        #expect(Set(checkFields.keys) == Set(Mirror(reflecting: check).children.compactMap(\.label)))
        let words = try Self.node("$defs/check/properties/kind/enum", of: Netwatch.explanationSchema) as? [String]
        #expect(words == Elsewhere.Check.Kind.allCases.map(\.rawValue))
        var explanation = Explanation(subject: "a\nb", steps: [.init(.interface, "eth0"), step])
        explanation.elsewhere = Elsewhere(checks: [check])
        let line = explanation.jsonLine
        let text = String(decoding: line, as: UTF8.self)
        #expect(text.hasSuffix("\n") && text.count { $0 == "\n" } == 1)
        #expect(try Netwatch.validate([String(text.dropLast())], by: Netwatch.explanationSchema))
    }

    @Test("knows every field that an event has")
    func fields() throws {
        var event = Event.online
        event.path.ipv4.legs = [.init(interface: "eth0", gateway: nil, isUsable: true)]
        let interface = try #require(event.path.interfaces.first)
        let values: [(String, Any)] = [
            ("$defs/state", event.to), ("$defs/cause", event.cause),
            ("$defs/familyPath", event.path.ipv4), ("$defs/leg", event.path.ipv4.legs[0]),
            ("$defs/interface", interface), ("$defs/interfaceAddress", interface.addresses[0]),
            ("$defs/usability", interface.ipv4), ("$defs/probe", ProbeResult.success),
            ("$defs/uplink", UplinkVerdict(interface: nil, family: nil, isActive: true, connectivity: .full)),
            ("$defs/captivePortal", CaptivePortal(interface: "wlan0", api: "https://portal.test/")),
            ("$defs/target", TargetHealth(target: "x", status: .up)),
        ]
        for (place, value) in values {
            let properties = try #require(try Self.node(place + "/properties") as? [String: Any], "\(place)")
            #expect(Set(properties.keys) == Self.names(in: value), "\(place)")
        }
        // The state is told by its own keys, and what changed by which keys there are.
        let own = Self.names(in: event).subtracting(["to", "changes"])
        #expect(try Self.keys("properties") == own.union(Self.derived))
        let path = Set(Mirror(reflecting: event.path).children.compactMap(\.label))
        #expect(try Self.keys("$defs/path/properties") == path.subtracting(["status"]))
    }

    /// What JSON has beside the properties: the state's, and whose event it is.
    private static let derived: Set = ["schema", "epoch", "host", "reachability", "connectivity", "interfaces"]

    /// The names of a value's properties, as JSON has them.
    private static func names(in value: Any) -> Set<String> {
        let times = [
            "sinceMonotonic": "since", "checkedMonotonic": "checkedAt", "suspectMonotonic": "suspectSince",
            "endMonotonic": "time", "timeNanoseconds": "time", "durationNanoseconds": "duration",
            "delayNanoseconds": "delay", "phaseNanoseconds": "phases", "latencyNanoseconds": "latency",
            "connectNanoseconds": "connect",
        ]
        let names = Mirror(reflecting: value).children.compactMap(\.label).map { times[$0] ?? $0 }
        return Set(names).subtracting(evidence)
    }

    /// What is told by the verdict alone.
    private static let evidence: Set = ["dateOffset"]

    private static func keys(_ place: String) throws -> Set<String> {
        Set(try #require(try node(place) as? [String: Any], "\(place)").keys)
    }

    private static func node(_ place: String, of schema: String = Netwatch.schema) throws -> Any {
        var node = try JSONSerialization.jsonObject(with: Data(contentsOf: URL(filePath: schema)))
        for key in place.split(separator: "/") {
            node = try #require((node as? [String: Any])?[String(key)], "\(place)")
        }
        return node
    }

    @Test("accepts events with everything in them, and refuses what is not an event")
    func completeEvent() throws {
        var event = Event.online
        event.portal = "http://login.test/"
        event.captivePortal = CaptivePortal(interface: "wlan0", api: "https://portal.test/api")
        event.captivePortal?.isCaptive = true
        event.captivePortal?.secondsRemaining = 60
        event.reason = .portal
        event.latencyNanoseconds = 1
        event.sinceMonotonic = 2
        event.checkedMonotonic = 3
        event.changes = .all
        event.path.ipv4.legs = [.init(interface: "eth0", gateway: event.path.ipv4.gateway, isUsable: true)]
        event.path.interfaces[0].hardwareAddress = HardwareAddress(bytes: [2, 0, 0, 0, 0, 1])
        event.path.interfaces[0].kind = "veth"
        event.uplinks = [UplinkVerdict(interface: "eth0", family: .ipv4, isActive: true, connectivity: .full)]
        event.spare = "wwan0"
        event.targets = [TargetHealth(target: "x", status: .down)]
        event.targets[0].blame = .host
        if let address = event.path.ipv4.gateway {
            event.targets[0].addresses = [AddressResult(address: address, outcome: .failure, duration: 1)]
            event.targets[0].addresses?[0].reason = .connectTimeout
            event.probes[0].addresses = event.targets[0].addresses
            event.probes[0].addressCount = 17
        }
        event.probes[0].failedPhase = .tls
        event.probes[0].remoteAddress = event.path.ipv4.gateway
        #expect(try Self.verdict(event) == "1 lines\n")
        event.path.interfaces[0].index = 0
        #expect(throws: Command.Failure.self) { try Self.verdict(event) }
        event = .online
        event.from = nil
        #expect(throws: Command.Failure.self) { try Self.verdict(event) }
        event = .snapshot()
        #expect(try Self.verdict(event) == "1 lines\n")
        event.changes = []
        #expect(throws: Command.Failure.self) { try Self.verdict(event) }
        event.kind = .target
        #expect(throws: Command.Failure.self) { try Self.verdict(event) }
        event.othersUnknown = true
        #expect(try Self.verdict(event) == "1 lines\n")
        event.kind = .portal
        event.changes = .captivePortal
        #expect(try Self.verdict(event) == "1 lines\n")
        event.kind = .result
        #expect(throws: Command.Failure.self) { try Self.verdict(event) }
        event.probes = [.success]
        #expect(try Self.verdict(event) == "1 lines\n")
    }

    private static func verdict(_ event: Event) throws -> String {
        let line = String(decoding: event.jsonLine, as: UTF8.self)
        let validator = Netwatch.file("Tests/Support/Scripts/validate-lines.py")
        return try Command.run(["/usr/bin/python3", validator, Netwatch.schema], input: line)
    }
}
