import Glibc
import SystemPackage

/// Replaces the default route by a message sent from this thread, so that the time of the request is known exactly.
struct RouteSwitch: ~Copyable {
    private let descriptor: CInt

    init() throws {
        descriptor = socket(AF_NETLINK, CInt(SOCK_RAW.rawValue), 0)
        guard descriptor >= 0 else { throw Errno(rawValue: errno) }
    }

    deinit {
        close(descriptor)
    }

    /// Sets the IPv4 default route (RTM_NEWROUTE with NLM_F_CREATE and NLM_F_REPLACE) and reads the acknowledgement.
    func setDefault(gateway: UInt32, index: UInt32) throws {
        var message = Self.message(gateway: gateway, index: index)
        guard send(descriptor, &message, message.count, 0) == message.count else { throw Errno(rawValue: errno) }
        var reply = [UInt8](repeating: 0, count: 256)
        guard recv(descriptor, &reply, reply.count, 0) >= 20 else { throw Errno(rawValue: errno) }
        let code = reply.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 16, as: CInt.self) }
        guard code == 0 else { throw Errno(rawValue: -code) }
    }

    private static func message(gateway: UInt32, index: UInt32) -> [UInt8] {
        var bytes: [UInt8] = []
        func put<Value: BitwiseCopyable>(_ value: Value) { withUnsafeBytes(of: value) { bytes += $0 } }
        put(UInt32(16 + 12 + 8 + 8))
        put(UInt16(24))  // RTM_NEWROUTE
        put(UInt16(0x1 | 0x4 | 0x100 | 0x400))  // NLM_F_REQUEST, _ACK, _REPLACE, _CREATE
        put(UInt32(1))
        put(UInt32(0))
        // rtmsg: AF_INET, no destination, table main, RTPROT_BOOT, RT_SCOPE_UNIVERSE, RTN_UNICAST
        bytes += [2, 0, 0, 0, 254, 3, 0, 1, 0, 0, 0, 0]
        put(UInt16(8))
        put(UInt16(5))  // RTA_GATEWAY
        put(gateway.bigEndian)
        put(UInt16(8))
        put(UInt16(4))  // RTA_OIF
        put(index)
        return bytes
    }
}
