/// The terminals by which PPP talks to a modem, as sysfs tells them from those of other serial adapters: by their drivers, and
/// by the protocol that a USB interface of the class CDC says it speaks.
enum ModemTerminals {
    /// Of drivers/usb/serial in the kernel: those that know modems only.
    private static let drivers = ["option1", "qcserial", "sierra", "ipw"]
    /// AT commands of ITU-T V.250 (USB class definitions for communications devices).
    private static let commandProtocol = "01"

    /// Whether there is one.
    ///
    /// - Parameter root: Where sysfs is.
    static func arePresent(root: String = "/sys") -> Bool {
        hasDriven(root) || hasSpeaking(root)
    }

    private static func hasDriven(_ root: String) -> Bool {
        drivers.contains { driver in
            (0..<8).contains { number in
                TextFile.exists("\(root)/bus/usb-serial/drivers/\(driver)/ttyUSB\(number)")
            }
        }
    }

    private static func hasSpeaking(_ root: String) -> Bool {
        (0..<4).contains { number in
            let file = "\(root)/class/tty/ttyACM\(number)/device/bInterfaceProtocol"
            return TextFile.read(file)?.trimmed == commandProtocol
        }
    }
}
