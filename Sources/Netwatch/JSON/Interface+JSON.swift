import Reachability
import Synchronization

extension Interface: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            let known = place.text.withLock { $0 }
            let before = json.append(known?.before) { writeBeforeWays(to: &$0) }
            json.member("ipv4", ipv4)
            json.member("ipv6", ipv6)
            let after = json.append(known?.after) { writeAfterWays(to: &$0) }
            if known == nil { place.text.withLock { $0 = (before, after) } }
        }
    }

    private func writeBeforeWays(to json: inout JSONText) {
        json.member("addresses", addresses)
        json.member("alternativeNames", alternativeNames)
        json.member("hardwareAddress", hardwareAddress)
        json.member("hasCarrier", hasCarrier)
        json.member("index", index)
    }

    private func writeAfterWays(to json: inout JSONText) {
        json.member("isUp", isUp)
        json.member("kind", kind)
        json.member("medium", medium)
        json.member("mtu", mtu)
        json.member("name", name)
        json.member("operationalState", operationalState)
        json.member("speed", speed)
        json.member("via", via)
        json.member("wireless", wireless)
    }
}

extension InterfaceAddress: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("address", address)
            json.member("isDeprecated", isDeprecated)
            json.member("isDuplicate", isDuplicate)
            json.member("isTentative", isTentative)
            json.member("prefixLength", prefixLength)
        }
    }
}

extension InterfaceUsability: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("gateway", gateway)
            json.member("isUsable", isUsable)
            json.member("reason", reason)
            json.member("source", source)
        }
    }
}

extension WirelessDetails: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("bssid", bssid)
            json.member("frequency", frequency)
            json.member("signal", signal)
            json.member("ssid", ssid)
        }
    }
}
