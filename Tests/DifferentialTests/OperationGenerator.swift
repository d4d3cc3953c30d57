import TestSupport

/// Makes up operations of every kind that can change a path, the same ones for the same seed.
///
/// Many of them fail, since what they name is not there at the moment. That is intended: a failed request must not
/// confuse a monitor either.
struct OperationGenerator {
    var random: SeededGenerator
    static let links = ["v0", "v1", "v2", "m0", "b0", "t0", "i0"]

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
    }

    mutating func next() -> Operation {
        switch Int.random(in: 0..<100, using: &random) {
        case 0..<18: link()
        case 18..<32: address()
        case 32..<68: route()
        case 68..<78: nexthop()
        case 78..<90: rule()
        case 90..<95: setting()
        default: rare()
        }
    }

    // MARK: Parts of names

    /// The cables twice as often as the rest.
    mutating func number() -> Int {
        random.chance(60) ? random.pick([0, 1, 2]) : random.pick(Array(Self.links.indices))
    }

    mutating func table() -> String {
        random.chance(70) ? "main" : random.pick(["100", "200", "local"])
    }

    mutating func gateway(_ number: Int, _ family: Int) -> String {
        if family == 4 { return "10.\(number).0.\(random.pick([253, 254]))" }
        return random.chance(70) ? "2001:db8:\(number)::fe" : "fe80::fe"
    }

    // MARK: Links

    private mutating func link() -> Operation {
        let name = Self.links[number()]
        switch Int.random(in: 0..<10, using: &random) {
        case 0: return .ip("link set \(name) down")
        case 1...4: return .ip("link set \(name) up")
        case 5: return .peer("link set p\(random.pick([0, 1, 2])) down")
        case 6...8: return .peer("link set p\(random.pick([0, 1, 2])) up")
        default: return .ip("link set \(name) mtu \(random.pick([1000, 1280, 1500]))")
        }
    }

    private mutating func rare() -> Operation {
        let name = Self.links[number()]
        switch Int.random(in: 0..<16, using: &random) {
        case 12: return .ip("link add g0 type veth peer name g1")
        case 13: return .ip("link set g0 master b0")
        case 14: return .ip("link set \(random.pick(["g0", "g1"])) up")
        case 15: return .ip("link set \(name) group \(random.pick([0, 7]))")
        case 0: return .ip("link set v2 master b0")
        case 1: return .ip("link set \(name) nomaster")
        case 2: return .ip("link set \(name) mode \(random.pick(["dormant", "default"]))")
        case 3: return .ip("link set \(name) state \(random.pick(["dormant", "up", "unknown"]))")
        case 4: return .ip("link set v2 name x2")
        case 5: return .ip("link set x2 name v2")
        case 6: return .ip("link delete \(random.pick(["m0", "v2", "i0", "b0"]))")
        case 7: return .ip("link add name v2 index 12 type veth peer name p2 index 112 netns PEER")
        case 8: return .ip("link add m0 link \(random.pick(["v0", "v1"])) type macvlan mode bridge")
        case 9: return .ip("link add \(random.pick(["b0 type bridge", "i0 type ifb"]))")
        case 10: return .ip("link property \(random.pick(["add", "del"])) dev \(name) altname other-\(name)")
        default: return .ip("address flush dev \(name)")
        }
    }

    private mutating func setting() -> Operation {
        let link = random.pick(["all", "default"] + Self.links)
        return switch Int.random(in: 0..<5, using: &random) {
        case 0...1: .setting("net.ipv4.conf.\(link).ignore_routes_with_linkdown", random.pick([0, 1]))
        case 2: .setting("net.ipv6.conf.\(link).ignore_routes_with_linkdown", random.pick([0, 1]))
        case 3: .setting("net.ipv6.conf.\(link).disable_ipv6", random.pick([0, 0, 1]))
        default: .setting("net.ipv4.nexthop_compat_mode", random.pick([0, 1]))
        }
    }

    // MARK: Addresses

    private mutating func address() -> Operation {
        let number = number()
        let host = random.pick([1, 2, 3])
        let verb = random.pick(["add", "add", "delete"])
        let link = Self.links[number]
        guard random.chance(50) else { return .ip("address \(verb) 10.\(number).0.\(host)/24 dev \(link)") }
        if verb == "add", random.chance(15) {
            return .ip(
                "address change 2001:db8:\(number)::\(host)/64 dev \(link) preferred_lft 0 valid_lft forever nodad")
        }
        return .ip("address \(verb) 2001:db8:\(number)::\(host)/64 dev \(link)" + (verb == "add" ? " nodad" : ""))
    }

    // MARK: Rules

    private mutating func rule() -> Operation {
        let preference = random.pick([100, 200, 300, 400])
        let place = random.pick([Operation.Place.host, .host6])
        if random.chance(60) { return Operation(place: place, text: "rule delete preference \(preference)") }
        // Of IPv6, from addresses that no link has: where there is no way without a source the kernel chooses one for a
        // connection and looks again, which `ip route get` does not.
        let selector = random.pick([
            "from all", "to \(place == .host ? "17.0.0.0/8" : "2607::/16")", "fwmark 1", "not fwmark 1",
            "from \(place == .host ? "10.0.0.0/24" : "2001:db8:9::/64")", "uidrange 0-0", "uidrange 1000-2000",
        ])
        let action = random.pick([
            "lookup 100", "lookup 200", "lookup main", "lookup main suppress_prefixlength 0",
            "lookup main suppress_ifgroup 7", "unreachable",
            "blackhole",
            "prohibit", "goto 32766",
        ])
        return Operation(place: place, text: "rule add preference \(preference) \(selector) \(action)")
    }
}
