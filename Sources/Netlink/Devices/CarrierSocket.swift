import CNetlink
import Glibc
import SystemPackage

/// Asks a device's driver itself, by `ioctl(SIOCETHTOOL)`: above all whether there is carrier, which the kernel's own
/// news tells up to a second late.
///
/// Synchronous, 1 to 2 µs a question, and without privilege. The devices are those of the network namespace in which the
/// socket was made. Owned by one actor; it closes its descriptor when it goes.
public struct CarrierSocket: ~Copyable, Sendable {
    private let descriptor: CInt

    public init() throws(NetlinkError) {
        descriptor = socket(AF_INET, CInt(SOCK_DGRAM.rawValue) | CInt(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .socket(call: "socket(AF_INET)", Errno(rawValue: errno)) }
    }

    deinit {
        close(descriptor)
    }

    /// Whether the driver sees carrier at this moment (ETHTOOL_GLINK). False while the device is down.
    ///
    /// - Parameter name: The device's name, or an altname of up to 15 bytes.
    /// - Throws: ``NetlinkError/refused(request:_:message:)`` with ENODEV where there is no such device, and with
    ///   EOPNOTSUPP where its driver cannot tell.
    public func hasCarrier(_ name: String) throws(NetlinkError) -> Bool {
        var value = ethtool_value()
        value.cmd = UInt32(ETHTOOL_GLINK)
        try unsafe ask("ETHTOOL_GLINK", about: name, &value)
        return value.data != 0
    }

    /// The link's speed in Mbit/s (ETHTOOL_GLINKSETTINGS); nil where the driver does not know it.
    public func speed(_ name: String) throws(NetlinkError) -> UInt32? {
        try unsafe withZeroed(ethtool_link_settings.self, trailing: Self.linkModeBytes) {
            (settings) throws(NetlinkError) in
            // The first question tells, as a negative number, how many words each mask has; the second is answered.
            for _ in 0..<2 {
                unsafe settings.pointee.cmd = UInt32(ETHTOOL_GLINKSETTINGS)
                unsafe settings.pointee.link_mode_masks_nwords = 0 &- settings.pointee.link_mode_masks_nwords
                try unsafe ask("ETHTOOL_GLINKSETTINGS", about: name, settings)
            }
            return unsafe [0, .max].contains(settings.pointee.speed) ? nil : settings.pointee.speed
        }
    }

    /// The driver's name (ETHTOOL_GDRVINFO); nil where it gives none.
    public func driver(_ name: String) throws(NetlinkError) -> String? {
        var information = ethtool_drvinfo()
        information.cmd = UInt32(ETHTOOL_GDRVINFO)
        try unsafe ask("ETHTOOL_GDRVINFO", about: name, &information)
        let driver = unsafe withUnsafeBytes(of: information.driver) { bytes in
            unsafe String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
        }
        return driver.isEmpty ? nil : driver
    }

    // MARK: System calls

    /// Three masks of at most 127 words, which `struct ethtool_link_settings` ends in.
    private static let linkModeBytes = 3 * 127 * 4

    /// Lends a zeroed structure with bytes behind it for the array of unknown length that it ends in.
    private func withZeroed<Value, Result>(
        _: Value.Type, trailing: Int, _ body: (UnsafeMutablePointer<Value>) throws(NetlinkError) -> Result
    ) throws(NetlinkError) -> Result {
        try unsafe withUnsafeTemporaryAllocation(
            byteCount: MemoryLayout<Value>.size + trailing, alignment: MemoryLayout<UInt64>.alignment
        ) { (bytes) throws(NetlinkError) in
            unsafe bytes.initializeMemory(as: UInt8.self, repeating: 0)
            return try unsafe bytes.withMemoryRebound(to: Value.self) { (values) throws(NetlinkError) in
                guard let value = values.baseAddress else { throw .socket(call: "malloc", .noMemory) }
                return try unsafe body(value)
            }
        }
    }

    private func ask(
        _ command: String, about name: String, _ value: UnsafeMutableRawPointer
    ) throws(NetlinkError) {
        let subject = "\(command) of \(name)"
        guard var request = unsafe ifreq(name: name) else {
            throw .refused(request: subject, .operationNotSupportedByDevice, message: "no device has so long a name")
        }
        unsafe request.ifr_ifru.ifru_data = value.assumingMemoryBound(to: CChar.self)
        guard unsafe ioctl(descriptor, UInt(SIOCETHTOOL), &request) == 0 else {
            throw .refused(request: subject, Errno(rawValue: errno), message: nil)
        }
    }
}

extension ifreq {
    /// A question about a device; nil where the name has no room in it.
    fileprivate init?(name: String) {
        guard name.utf8.count < Int(IFNAMSIZ) else { return nil }
        unsafe self.init()
        unsafe withUnsafeMutableBytes(of: &ifr_ifrn) { unsafe $0.copyBytes(from: name.utf8) }
    }
}
