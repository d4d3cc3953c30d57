import Reachability

extension ReachabilityStatus: JSONWritable {}
extension Medium: JSONWritable {}
extension PathReason: JSONWritable {}

extension Path: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("interfaces", interfaces)
            json.member("ipv4", ipv4)
            json.member("ipv6", ipv6)
            json.member("nameServers", nameServers)
            json.member("reason", reason)
            json.member("status", status)
        }
    }
}

extension FamilyPath: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("gateway", gateway)
            json.member("interface", interface)
            json.member("interfaceIndex", interfaceIndex)
            json.member("isUsable", isUsable)
            json.member("kernel", kernel)
            json.member("legs", legs)
            json.member("medium", medium)
            json.member("metric", metric)
            json.member("reason", reason)
            json.member("source", source)
            json.member("table", table)
            json.member("via", via)
        }
    }
}

extension FamilyPath.Leg: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("gateway", gateway)
            json.member("interface", interface)
            json.member("isUsable", isUsable)
        }
    }
}
