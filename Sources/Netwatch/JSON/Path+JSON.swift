import NetworkAddress
import Reachability

extension ReachabilityStatus: JSONWritable {}
extension Medium: JSONWritable {}
extension PathReason: JSONWritable {}

extension Path: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("reason", reason)
            json.member("ipv4", ipv4)
            json.member("ipv6", ipv6)
            json.member("nameServers", nameServers)
            json.member("interfaces", interfaces)
            json.member("routes", routes.isEmpty ? nil : routes.map(\.description))
        }
    }
}

extension FamilyPath: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("isUsable", isUsable)
            json.member("reason", reason)
            json.member("interface", interface)
            json.member("interfaceIndex", interfaceIndex)
            json.member("gateway", gateway)
            json.member("source", source)
            json.member("medium", medium)
            json.member("via", via)
            json.member("table", table)
            json.member("metric", metric)
            json.member("legs", legs)
            json.member("kernel", kernel)
        }
    }
}

extension FamilyPath.Leg: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("interface", interface)
            json.member("gateway", gateway)
            json.member("isUsable", isUsable)
        }
    }
}
