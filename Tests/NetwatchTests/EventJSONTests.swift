import Foundation
import Glibc
import NetworkAddress
import TestSupport
import Testing

@testable import Netwatch

@Suite("An event as JSON")
struct EventJSONTests {
    private static func written(_ event: Event) -> String {
        String(decoding: event.json, as: UTF8.self)
    }

    private static func object(_ event: Event) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(event.json)) as? [String: Any])
    }

    @Test("an event in which nothing has a value that need not, in the order in which a person reads")
    func bare() {
        let expected = #"""
            {"schema":1,"seq":1,"time":"2026-11-21T08:33:20.000001Z","kind":"snapshot","reachability":"none",\#
            "connectivity":"none","interfaces":[],\#
            "cause":{"kind":"start","description":"the monitor has started","fields":{}},"targets":[],"probes":[],\#
            "resync":false,"skipped":0,"monotonic":100.000001}
            """#
        #expect(Self.written(.bare) == expected)
    }

    @Test("an event in which everything has a value, in the order in which a person reads")
    func complete() throws {
        let event = try Event.complete
        #expect(Self.gaps(in: event, at: "event") == [])
        let expected = #"""
            {"schema":1,"seq":1,"time":"2026-11-21T08:33:20.000001Z","kind":"transition","reachability":"none",\#
            "connectivity":"none","interfaces":["eth0","eth1"],"reason":"portal","blame":"uplink","observed":"limited","spare":"wwan0",\#
            "portal":"http://portal.test/login?a=1","since":"2026-11-21T08:32:20.000000Z",\#
            "suspectSince":"2026-11-21T08:33:18.000000Z","checkedAt":"2026-11-21T08:33:19.500000Z",\#
            "from":{"reachability":"wifi","connectivity":"full","interfaces":["wlan0"]},\#
            "cause":{"kind":"name-servers","description":"the name servers changed","interface":"eth0",\#
            "fields":{"dev":"eth0","message":"RTM_NEWLINK"}},\#
            "targets":[{"target":"https://example.test/","status":"down","reason":"certificate-expired","blame":"self",\#
            "evidence":"others answer","since":"2026-11-21T08:31:43.000000Z","checkedAt":"2026-11-21T08:31:44.000000Z",\#
            "addresses":[{"address":"192.0.2.1","outcome":"failure","reason":"connect-timeout",\#
            "failure":"nothing came back","isWinner":true,"duration":0.006,"connect":0.9}]}],"othersUnknown":true,"othersUp":true,\#
            "probes":[{"target":"https://example.test/","interface":"eth0","family":"ipv4",\#
            "time":"2026-11-21T08:31:45.000000Z","outcome":"portal","reason":"certificate-expired",\#
            "failure":"the certificate has expired","failedPhase":"tls","portal":"http://portal.test/","statusCode":302,\#
            "remoteAddress":"192.0.2.1","duration":0.0234,\#
            "phases":{"resolve":0.000000001,"connect":0.000002,"tls":0.003,"processing":0,"transfer":5},"delay":0.0007,\#
            "certificate":{"subject":"CN=a","issuer":"CN=b","notBefore":"1969-12-31T23:59:59Z",\#
            "notAfter":"2026-11-21T08:33:20Z"},"addressCount":20}],\#
            "uplinks":[{"interface":"eth0","family":"ipv6","isActive":true,"connectivity":"limited",\#
            "reason":"ipv6-failed","since":"2026-11-21T08:31:41.000000Z","suspectSince":"2026-11-21T08:31:43.000000Z",\#
            "checkedAt":"2026-11-21T08:31:42.000000Z"}],\#
            "captivePortal":{"interface":"wlan0","api":"https://portal.test/api","isCaptive":true,\#
            "userPortal":"https://portal.test/","venueInfo":"https://portal.test/venue","secondsRemaining":326,\#
            "failure":"it answered 500","checkedAt":"2026-11-21T08:31:48.000000Z"},\#
            "path":{"reason":"leg-without-carrier",\#
            "ipv4":\#(Self.family),"ipv6":\#(Self.family),"nameServers":["192.0.2.1","2001:db8::77"],\#
            "interfaces":[\#(Self.interface),\#(Self.interface)],"routes":["10.0.0.0/8"]},\#
            "resync":true,"skipped":3,"latency":0.000018738,"monotonic":100.000001}
            """#
        #expect(Self.written(event) == expected)
        // Of each kind of value by itself, and so that none is forgotten that is added later.
        #expect(Self.names(in: event).subtracting(Self.keys(in: try Self.object(event))) == Self.notWritten)
    }

    private static let family = #"""
        {"isUsable":true,"reason":"split","interface":"wg0","interfaceIndex":9,"gateway":"192.0.2.1",\#
        "source":"2001:db8::77","medium":"wwan","via":["wg0","eth0"],"table":254,"metric":100,\#
        "legs":[{"interface":"eth0","gateway":"192.0.2.1","isUsable":false}],"kernel":"17.0.0.1 via 192.0.2.1 dev eth0"}
        """#

    private static let interface = #"""
        {"name":"wlan0","index":2,"medium":"wifi","kind":"vlan","via":["wlan0"],"isUp":true,"hasCarrier":true,\#
        "operationalState":"up",\#
        "addresses":[{"address":"2001:db8::77","prefixLength":64,"isTentative":true,"isDuplicate":false,\#
        "isDeprecated":false},{"address":"192.0.2.1","prefixLength":24,"isTentative":false,"isDuplicate":false,\#
        "isDeprecated":false}],\#
        "wireless":{"ssid":"a \"net\"","bssid":"02:00:00:00:00:02","frequency":2412,"signal":-48},\#
        "hardwareAddress":"02:00:ab:00:00:01","mtu":1500,"speed":1000,"alternativeNames":["enp0s1"],\#
        "ipv4":{"isUsable":true,"reason":"tentative","gateway":"192.0.2.1","source":"192.0.2.1"},\#
        "ipv6":{"isUsable":false,"reason":"no-address","gateway":"2001:db8::77","source":"2001:db8::77"}}
        """#

    /// What is told by other keys: times by theirs, `to` by the state's own, `changes` by which keys there are, the path's status by
    /// `reachability`.
    private static let notWritten: Set<String> = [
        "to", "changes", "timeNanoseconds", "latencyNanoseconds", "sinceMonotonic", "suspectMonotonic",
        "checkedMonotonic",
    ]

    @Test("says of an event that is no snapshot what it is about, and nothing that is as it was")
    func changesOnly() throws {
        var event = try Event.complete
        event.kind = .target
        event.changes = []
        let keys = try Self.object(event).keys
        #expect(Set(["path", "uplinks", "captivePortal", "from"]).isDisjoint(with: keys))
        #expect(keys.contains("targets") && keys.contains("probes"))
        event.targets = []
        event.probes = []
        event.othersUnknown = false
        event.othersUp = false
        event.changes = .path
        event.kind = .path
        #expect(Set(["targets", "othersUnknown", "othersUp", "probes"]).isDisjoint(with: try Self.object(event).keys))
        #expect(try Self.object(event).keys.contains("path"))
    }

    @Test("a result tells what each address did; beside its target that is told of the target")
    func addresses() throws {
        var event = try Event.complete
        func probe() throws -> [String: Any]? { (try Self.object(event)["probes"] as? [[String: Any]])?.first }
        #expect(try probe()?["addresses"] == nil)
        event.kind = .result
        #expect((try probe()?["addresses"] as? [Any])?.count == 1)
    }

    @Test("a line is the JSON and a line feed")
    func line() throws {
        let event = try Event.complete
        #expect(event.jsonLine == event.json + [UInt8(ascii: "\n")])
        #expect(!event.json.contains(UInt8(ascii: "\n")))
    }

    @Test("each control character, and those that some escape and others do not, read back as they were")
    func escapes() throws {
        var event = Event.bare
        for byte in UInt8(0)...0x20 { event.cause.description += String(UnicodeScalar(byte)) + "a" }
        event.cause.description += "\u{7F}\u{2028}/\\\"é😀"
        let cause = try #require(try Self.object(event)["cause"] as? [String: Any])
        #expect(cause["description"] as? String == event.cause.description)
    }

    @Test("the names of a cause's fields are in the order of their bytes, and the empty one is first")
    func order() throws {
        var event = Event.bare
        let names = ["b", "B", "a", "10", "9", "", "é", "e\u{301}z", "z", "a b", "\"", "interfaces", "interface"]
        for key in names { event.cause.fields[key] = "1" }
        let sorted = names.sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
        let written = sorted.map { "\"\($0 == "\"" ? "\\\"" : $0)\":\"1\"" }.joined(separator: ",")
        #expect(Self.written(event).contains("\"fields\":{\(written)}"))
    }

    @Test("moments are what gmtime(3) says, with microseconds", arguments: 1...5 as ClosedRange<UInt64>)
    func moments(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        let known: [UInt64] = [0, 951_782_399, 951_782_400, 951_868_800, 4_107_542_400, 1_709_164_800]
        for second in known + (0..<500).map({ _ in .random(in: 0...18_000_000_000, using: &generator) }) {
            let nanoseconds = UInt64.random(in: 0..<1_000_000_000, using: &generator)
            var event = Event.bare
            event.timeNanoseconds = second * 1_000_000_000 + nanoseconds
            #expect(try Self.object(event)["time"] as? String == Self.expected(second, nanoseconds))
        }
    }

    private static func expected(_ second: UInt64, _ nanoseconds: UInt64) -> String {
        var (time, calendar) = (time_t(second), tm())
        gmtime_r(&time, &calendar)
        var text = [CChar](repeating: 0, count: 64)
        strftime(&text, text.count, "%Y-%m-%dT%H:%M:%S", &calendar)
        let micros = String(nanoseconds / 1000)
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self) + "."
            + String(repeating: "0", count: 6 - micros.count) + micros + "Z"
    }

    @Test("what began before the wall clock was set is not in a time to come")
    func unsetClock() throws {
        var event = Event.bare
        event.timeNanoseconds = 5_000_000_000
        event.monotonic = 100_000_000_000
        event.sinceMonotonic = 1
        #expect(try Self.object(event)["since"] as? String == "1970-01-01T00:00:00.000000Z")
    }

    @Test("durations are seconds that a double holds to the nanosecond", arguments: 1...5 as ClosedRange<UInt64>)
    func durations(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<500 {
            let shift = UInt64.random(in: 0...42, using: &generator)
            let nanoseconds = UInt64.random(in: 0...3_600_000_000_000, using: &generator) >> shift
            var event = Event.bare
            event.latencyNanoseconds = nanoseconds
            let read = try #require(try Self.object(event)["latency"] as? Double)
            #expect(UInt64((read * 1e9).rounded()) == nanoseconds)
        }
    }

    @Test("the ends of the integers")
    func integers() throws {
        var event = Event.bare
        event.seq = .max
        event.skipped = .max
        event.timeNanoseconds = .max
        event.latencyNanoseconds = .max
        event.monotonic = .max
        event.sinceMonotonic = .max
        let object = try Self.object(event)
        #expect(object["seq"] as? UInt64 == .max)
        #expect(object["time"] as? String == "2554-07-21T23:34:33.709551Z")
        #expect(Self.written(event).contains("\"latency\":18446744073.709551615"))
    }

    /// The paths of all optionals in a value that are nil, and of all collections that are empty.
    private static func gaps(in value: Any, at path: String) -> [String] {
        let mirror = Mirror(reflecting: value)
        switch mirror.displayStyle {
        case .optional, .collection, .dictionary, .set:
            guard !mirror.children.isEmpty else { return [path] }
            return mirror.children.flatMap { gaps(in: $0.value, at: path) }
        case .struct, .tuple:
            return mirror.children.flatMap { gaps(in: $0.value, at: "\(path).\($0.label ?? "")") }
        default: return []
        }
    }

    /// The names of an event's own properties.
    private static func names(in event: Event) -> Set<String> {
        Set(Mirror(reflecting: event).children.compactMap(\.label))
    }

    private static func keys(in object: [String: Any]) -> Set<String> { Set(object.keys) }
}

@Suite("IPv6 addresses as text")
struct AddressTextTests {
    @Test("are what inet_ntop(3) writes", arguments: 1...10 as ClosedRange<UInt64>)
    func addresses(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            var number: UInt128 = 0
            // Groups of all lengths, and many that are 0.
            for _ in 0..<8 {
                let group =
                    UInt16.random(in: 0 ... .max, using: &generator) >> UInt16.random(in: 0...20, using: &generator)
                number = number << 16 | UInt128(Bool.random(using: &generator) ? 0 : group)
            }
            #expect(IPv6Address(rawValue: number).description == Self.expected(number))
        }
    }

    private static func expected(_ number: UInt128) -> String {
        var bytes = number.bigEndian
        var text = [CChar](repeating: 0, count: Int(INET6_ADDRSTRLEN))
        inet_ntop(AF_INET6, &bytes, &text, socklen_t(text.count))
        return String(decoding: text.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }
}
