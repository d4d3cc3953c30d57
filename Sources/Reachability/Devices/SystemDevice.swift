package import Netlink
import NetworkAddress

/// A device's folder in sysfs, if that is the same device.
///
/// `/sys` shows the network namespace of the process that mounted it. In a container it may hold no device of this name, or another
/// one, so that what it says counts only where number and hardware address agree with netlink's.
package struct SystemDevice {
    private let folder: String

    package init?(_ link: LinkMessage, root: String = "/sys/class/net") {
        folder = "\(root)/\(link.name)"
        guard TextFile.read("\(folder)/ifindex")?.trimmed == "\(link.index)" else { return nil }
        let address = TextFile.read("\(folder)/address")?.trimmed ?? ""
        guard HardwareAddress(address) == link.hardwareAddress || address.isEmpty else { return nil }
    }

    /// DEVTYPE of the device's uevent: `wlan`, `wwan`, `bluetooth`, `gadget`, …
    package var deviceType: String? {
        let lines = TextFile.read("\(folder)/uevent")?.split(separator: "\n") ?? []
        return lines.first { $0.hasPrefix("DEVTYPE=") }.map { String($0.dropFirst("DEVTYPE=".count)) }
    }

    /// Whether a Wi-Fi radio is behind it.
    package var hasRadio: Bool {
        TextFile.exists("\(folder)/phy80211")
    }
}
