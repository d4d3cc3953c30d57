import Netlink

/// Finds out what netlink does not tell of a device: from nl80211, from its driver, and from sysfs where that is right.
final class DeviceInspector {
    private let drivers: CarrierSocket
    /// Nil where generic netlink is refused, as in some sandboxes.
    private var wireless: WirelessSocket?
    /// Opened when the first WireGuard link is seen.
    private var wireGuard: WireGuardSocket?

    init() throws(NetlinkError) {
        drivers = try CarrierSocket()
        wireless = Self.openWireless()
    }

    private static func openWireless() -> WirelessSocket? {
        do throws(NetlinkError) { return try WirelessSocket() } catch { return nil }
    }

    /// What a device is, beyond its message. Only hardware and PPP need more than their kind.
    func facts(_ link: LinkMessage, wireless: [UInt32: WirelessInterface]) -> LinkFacts? {
        guard !link.flags.contains(.loopback) else { return nil }
        if link.kind == "ppp" || link.type == LinkType.ppp { return pppFacts() }
        guard link.kind == nil else { return nil }
        let device = SystemDevice(link)
        return LinkFacts(
            isWireless: wireless[link.index] != nil || device?.hasRadio == true, deviceType: device?.deviceType,
            driver: answer { () throws(NetlinkError) in try drivers.driver(link.name) })
    }

    /// All Wi-Fi devices, by number; none where they cannot be asked for.
    func wirelessInterfaces() -> [UInt32: WirelessInterface] {
        let interfaces = answer { () throws(NetlinkError) -> [WirelessInterface]? in
            if wireless?.isAvailable == false { try wireless?.refresh() }
            do throws(NetlinkError) { return try wireless?.interfaces() } catch {
                // The family has another number once its module was unloaded and loaded again.
                try wireless?.refresh()
                return try wireless?.interfaces()
            }
        }
        return Dictionary((interfaces ?? []).map { ($0.index, $0) }) { _, latest in latest }
    }

    /// Where a WireGuard link sends its packets; nil where this process may not know.
    func wireGuard(_ link: LinkMessage) -> WireGuardDevice? {
        answer { () throws(NetlinkError) in
            if wireGuard == nil { wireGuard = try WireGuardSocket() }
            return try wireGuard?.device(index: link.index)
        }
    }

    /// A driver that does not answer is one that does not know: there is nothing to repair.
    private func answer<Value>(_ ask: () throws(NetlinkError) -> Value?) -> Value? {
        do throws(NetlinkError) { return try ask() } catch { return nil }
    }

    /// Over which device PPP runs, or whether a modem does.
    ///
    /// Neither netlink nor sysfs ties a PPP device to what is under it. All sessions by one device decide, or the
    /// presence of a modem's terminal.
    private func pppFacts() -> LinkFacts {
        let sessions = TextFile.read("/proc/thread-self/net/pppoe")?.split(separator: "\n").dropFirst() ?? []
        let devices = Set(sessions.compactMap { $0.split(separator: " ").last.map(String.init) })
        if devices.count == 1, let name = devices.first { return LinkFacts(lowerName: name) }
        return LinkFacts(isModem: ModemTerminals.arePresent())
    }
}
