import Foundation
import TestSupport

/// One device as `ip -j -d address` shows it: the independent witness of what a dump should say.
struct InterfaceListing: Decodable {
    struct Address: Decodable {
        var family: String
        var local: String
        var prefixlen: Int
        var address: String?
        var label: String?
        var tentative: Bool?
    }

    struct Information: Decodable {
        var info_kind: String?
        var info_slave_kind: String?
    }

    var ifindex: UInt32
    var ifname: String
    var flags: [String]
    var mtu: UInt32
    var operstate: String
    var master: String?
    var address: String?
    var altnames: [String]?
    var linkinfo: Information?
    var addr_info: [Address]

    static func all(in namespace: TestNamespace) throws -> [InterfaceListing] {
        try JSON.decode(namespace.run("ip", "-j", "-d", "address"))
    }
}

/// What `ip -j route get` answers.
struct RouteListing: Decodable, Equatable {
    struct Leg: Decodable, Equatable {
        var gateway: String?
        var dev: String
    }

    var type: String?
    var dst: String
    var gateway: String?
    var dev: String?
    var table: String?
    var prefsrc: String?
    var metric: UInt32?
    var nexthops: [Leg]?

    static func get(_ arguments: String..., in namespace: TestNamespace) throws -> RouteListing? {
        let words = arguments.flatMap { $0.split(separator: " ").map(String.init) }
        let text = try Command.run(["nsenter", "--net=\(namespace.path)", "ip", "-j", "route", "get"] + words)
        return try JSON.decode(text, as: [RouteListing].self).first
    }
}

enum JSON {
    static func decode<Value: Decodable>(_ text: String, as _: Value.Type = Value.self) throws -> Value {
        try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    }
}
