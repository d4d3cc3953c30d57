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

    /// What a device is that is no line by PPP, beyond its message. Only hardware needs more than its kind.
    func facts(_ link: LinkMessage, wireless: [UInt32: WirelessInterface]) -> LinkFacts? {
        guard !link.flags.contains(.loopback), link.kind == nil else { return nil }
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

    /// Over which device lines by PPP run of which that is not known, or whether a modem has them.
    ///
    /// Neither netlink nor sysfs ties a PPP device to what is under it. All sessions by one device decide where each
    /// line can have one, or the presence of a modem's terminal where each session is another line's.
    ///
    /// - Parameters:
    ///   - lines: How many lines there are in all.
    ///   - others: What is known of others than those asked about.
    ///   - sessions: The kernel's list, a line for each below its head, with the device at the end.
    ///   - root: Where sysfs is.
    static func lineFacts(
        lines: Int, others: [LinkFacts], sessions: String = "/proc/thread-self/net/pppoe", root: String = "/sys"
    ) -> LinkFacts {
        let list = TextFile.read(sessions, limit: 1 << 20)?.utf8.split(separator: UInt8(ascii: "\n")).dropFirst() ?? []
        let devices = list.compactMap { line in
            line.split(separator: UInt8(ascii: " ")).last.map { String(decoding: $0, as: UTF8.self) }
        }
        let known = others.count { $0.lowerName != nil }
        if let name = devices.first, devices.count - known >= lines - others.count, Set(devices).count == 1 {
            return LinkFacts(lowerName: name)
        }
        return LinkFacts(isModem: devices.count <= known && ModemTerminals.arePresent(root: root))
    }
}
