extension OperationGenerator {
    mutating func route() -> Operation {
        let family = random.pick([4, 4, 6])
        let verb = random.pick(["add", "replace", "append", "delete", "delete", "change"])
        let prefix = random.pick(family == 4 ? Self.prefixes4 : Self.prefixes6)
        let place: Operation.Place = family == 4 ? .host : .host6
        let metric = random.chance(50) ? " metric \(random.pick([50, 100, 200, 1024]))" : ""
        let position = "table \(table())\(metric)"
        if random.chance(12) {
            let type = random.pick(["blackhole", "unreachable", "prohibit", "throw"])
            return Operation(place: place, text: "route \(verb) \(type) \(prefix) \(position)")
        }
        let way = verb == "delete" && random.chance(50) ? "" : " \(way(family))"
        return Operation(place: place, text: "route \(verb) \(prefix) \(position)\(way)")
    }

    private static let prefixes4 = [
        "default", "default", "default", "0.0.0.0/1", "128.0.0.0/1", "17.0.0.0/8", "17.0.0.1/32", "9.0.0.0/8",
        "10.1.0.0/25", "200.160.0.0/16",
    ]
    private static let prefixes6 = [
        "default", "default", "default", "2000::/4", "2607::/16", "2a00::/12", "2607:f8b0::1/128", "2001:db8:1::/80",
    ]

    /// How a route leaves: by one gateway, on the link, by several ways, or by a nexthop object.
    private mutating func way(_ family: Int) -> String {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: leg(family)
        case 10..<13: "dev \(Self.links[number()])"
        case 13..<16: "nexthop \(leg(family)) nexthop \(leg(family)) weight 3"
        case 16..<19: "nhid \(random.pick(family == 4 ? [1, 2, 10] : [3, 4, 20]))"
        default: family == 4 ? "via inet6 fe80::fe dev \(Self.links[number()])" : leg(family)
        }
    }

    private mutating func leg(_ family: Int) -> String {
        let number = number()
        return "via \(gateway(number, family)) dev \(Self.links[number])" + (random.chance(15) ? " onlink" : "")
    }

    /// Nexthop objects 1 and 2 are IPv4's, 3 and 4 are IPv6's; 10 and 20 are the groups of each.
    mutating func nexthop() -> Operation {
        let family = random.pick([4, 6])
        let id = random.pick(family == 4 ? [1, 2] : [3, 4])
        let text =
            switch Int.random(in: 0..<8, using: &random) {
            case 0..<4: "replace id \(id) \(leg(family))"
            case 4: "replace id \(id) blackhole"
            case 5: "replace id \(family == 4 ? 10 : 20) group \(family == 4 ? "1/2" : "3/4,3")"
            case 6: "delete id \(id)"
            default: "delete id \(family == 4 ? 10 : 20)"
            }
        return Operation(place: family == 4 ? .host : .host6, text: "nexthop \(text)")
    }
}
