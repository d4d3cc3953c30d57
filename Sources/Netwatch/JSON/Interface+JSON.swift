import Reachability

extension Interface: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            writeDevice(to: &json)
            json.member("ipv4", ipv4)
            json.member("ipv6", ipv6)
        }
    }

    private func writeDevice(to json: inout JSONText) {
        json.member("name", name)
        json.member("index", index)
        json.member("medium", medium)
        json.member("kind", kind)
        json.member("via", via)
        json.member("isUp", isUp)
        json.member("hasCarrier", hasCarrier)
        json.member("operationalState", operationalState)
        json.member("addresses", addresses)
        json.member("wireless", wireless)
        json.member("hardwareAddress", hardwareAddress)
        json.member("mtu", mtu)
        json.member("speed", speed)
        json.member("alternativeNames", alternativeNames)
    }
}

extension InterfaceAddress: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("address", address)
            json.member("prefixLength", prefixLength)
            json.member("isTentative", isTentative)
            json.member("isDuplicate", isDuplicate)
            json.member("isDeprecated", isDeprecated)
        }
    }
}

extension InterfaceUsability: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("isUsable", isUsable)
            json.member("reason", reason)
            json.member("gateway", gateway)
            json.member("source", source)
        }
    }
}

extension WirelessDetails: JSONWritable {
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("ssid", ssid)
            json.member("bssid", bssid)
            json.member("frequency", frequency)
            json.member("signal", signal)
        }
    }
}
