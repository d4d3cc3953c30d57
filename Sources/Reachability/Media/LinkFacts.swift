/// What is known of a device beyond its netlink message, each from a source that is right in this namespace.
package struct LinkFacts: Hashable, Sendable, Codable {
    /// Whether nl80211 lists the device.
    package var isWireless: Bool
    /// DEVTYPE of the device (`wlan`, `wwan`, `bluetooth`, `gadget`, …).
    package var deviceType: String?
    /// The driver's name (ETHTOOL_GDRVINFO).
    package var driver: String?
    /// The device underneath, where something else than netlink tells it (`/proc/net/pppoe`).
    package var lowerName: String?
    /// Whether the device belongs to a modem: for PPP, the parent of its terminal.
    package var isModem: Bool

    package init(
        isWireless: Bool = false, deviceType: String? = nil, driver: String? = nil, lowerName: String? = nil,
        isModem: Bool = false
    ) {
        self.isWireless = isWireless
        self.deviceType = deviceType
        self.driver = driver
        self.lowerName = lowerName
        self.isModem = isModem
    }
}
